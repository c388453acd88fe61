/**
 * jambonz' library sends texts to its custom text to speech. Its media server is no package, so a script speaks its two sockets, as it
 * documents them.
 */
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { check, credit, key, url, voice } from './checks.mjs'

const folder = await mkdtemp(join(tmpdir(), 'jambonz-'))
process.env.JAMBONES_TMP_FOLDER = folder
const { default: synthAudio } = await import('@jambonz/speech-utils/lib/synth-audio.js')

const run = check.bind(undefined, '@jambonz/speech-utils')
const base = `${url}/v1/compat/jambonz`
const text = 'Good morning. The library opens at nine.'

/** The cache of texts, which is Redis there. */
const cache = { get: async () => null, setex: async () => 'OK' }
const logger = { info() {}, debug() {}, error() {} }
const stats = { increment() {}, histogram() {} }

/** The file with the audio. */
const say = async (fields = {}, token = key) => {
  const credentials = { vendor: 'custom:parlance', auth_token: token, custom_tts_url: `${base}/tts` }
  const of = { vendor: 'custom:parlance', language: 'en-US', voice, text, credentials, disableTtsStreaming: true }
  return (await synthAudio(cache, undefined, undefined, logger, stats, { ...of, ...fields })).filePath
}

/** A socket of the media server. */
const connect = async (path) => {
  const socket = new WebSocket(base.replace('http', 'ws') + path, { headers: { authorization: `Bearer ${key}` } })
  const messages = []
  const audio = []
  socket.on('message', (data, isBinary) => {
    if (isBinary) audio.push(data)
    else messages.push(JSON.parse(data))
    socket.emit('received')
  })
  const closed = once(socket, 'close').then(([code]) => code)
  await once(socket, 'open')
  return {
    ...{ messages, audio, closed },
    send: (message) => socket.send(message instanceof Uint8Array ? message : JSON.stringify(message)),
    async until(isReached) {
      while (!isReached()) await once(socket, 'received')
    },
  }
}

/** The text as PCM of 8 kHz. */
const streamed = async () => {
  const { messages, audio, closed, send, until } = await connect(`/tts?voice=${voice}&language=en-US&sampleRate=8000`)
  await until(() => messages.length > 0)
  send({ type: 'stream', text: 'Good morning.' })
  send({ type: 'stream', text: 'The library opens at nine.' })
  send({ type: 'flush' })
  await until(() => audio.length > 0)
  send({ type: 'stop' })
  return { connect: messages[0], code: await closed, pcm: Buffer.concat(audio) }
}

await run('speaks, in MP3', async () => {
  const before = await credit()
  const file = await say()
  const { length } = await readFile(file)
  return (
    file.endsWith('.mp3') && length > 5_000 && (await credit({ changedFrom: before })) < before && `${length} bytes`
  )
})

await run('gets an error for another key, and for SSML', async () => {
  const statusOf = (said) =>
    said.then(
      () => 200,
      ({ statusCode }) => statusCode,
    )
  const statuses = [await statusOf(say({}, 'awp_dev_none')), await statusOf(say({ text: `<speak>${text}</speak>` }))]
  return statuses.join() === '401,400' && statuses.join()
})

await run('its media server speaks while text is being written', async () => {
  const { connect: opened, code, pcm } = await streamed()
  return opened.type === 'connect' && opened.data.sample_rate === 8_000 && code === 1000 && pcm.length > 16_000
})

await run('clears what it does not play, and pays for what was sent', async () => {
  const before = await credit()
  await say()
  const price = (before - (await credit({ changedFrom: before }))) / text.length
  const long = 'This sentence is one of many that are never heard. '.repeat(60)
  const start = await credit()
  const { audio, closed, send, until } = await connect(`/tts?voice=${voice}&sampleRate=8000`)
  send({ type: 'stream', text: long })
  await until(() => audio.length > 0)
  send({ type: 'clear' })
  send({ type: 'stop' })
  await closed
  const spent = start - (await credit({ changedFrom: start }))
  return spent < price * long.length * 0.9 && `${spent} of ${price * long.length}`
})

await run('recognizes a call', async () => {
  const { pcm } = await streamed()
  const before = await credit()
  const { messages, closed, send } = await connect('/stt')
  const form = { format: 'raw', encoding: 'LINEAR16', sampleRateHz: 8_000 }
  send({ type: 'start', language: 'en-US', ...form, interimResults: true, options: {} })
  for (let at = 0; at < pcm.length; at += 1_600) send(pcm.subarray(at, at + 1_600))
  send({ type: 'stop' })
  const code = await closed
  const said = messages.filter(({ type, is_final }) => type === 'transcription' && is_final)
  const transcript = said.map(({ alternatives }) => alternatives[0].transcript).join(' ')
  if (code !== 1000 || transcript.length < 6) throw new Error(JSON.stringify({ code, messages }))
  return (await credit({ changedFrom: before })) < before && transcript
})

await rm(folder, { recursive: true, force: true })
