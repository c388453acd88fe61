import { DeepgramClient } from '@deepgram/sdk'
import { bytesOf, check, credit, runDocumented, voice } from './checks.mjs'

const run = check.bind(undefined, '@deepgram/sdk')
const { base, client } = await runDocumented('docs/deepgram.md', ['base', 'client'], { DeepgramClient })
const text = 'Good morning. The library opens at nine.'
const once = { reconnectAttempts: 0, connectionTimeoutInSeconds: 20 }

const speak = async (request) => bytesOf((await client.speak.v1.audio.generate({ text, ...request })).stream())

const priceOf = async (characters) => {
  const before = await credit()
  await speak({ model: voice })
  return ((before - (await credit({ changedFrom: before }))) / text.length) * characters
}

/** An open socket, and what it receives. `until` waits for a message. */
const opened = async (socket) => {
  const messages = []
  let wake = () => {}
  socket.on('message', (message) => {
    messages.push(message)
    wake()
  })
  const ended = new Promise((resolve) => socket.on('close', resolve))
  socket.connect()
  await socket.waitForOpen()
  const until = async (isWanted) => {
    for (;;) {
      const found = messages.find(isWanted)
      if (found !== undefined) return found
      await new Promise((resolve, reject) => {
        wake = resolve
        setTimeout(() => reject(new Error(`only ${JSON.stringify(messages).slice(0, 300)}`)), 60_000).unref()
      })
    }
  }
  const bytes = () => messages.reduce((sum, message) => sum + (message instanceof Blob ? message.size : 0), 0)
  return { messages, until, ended, bytes }
}
const isOfType = (type) => (message) => message.type === type

await run('speaks, in MP3, WAV, PCM and µ-law', async () => {
  const before = await credit()
  const forms = [
    { model: 'aura-2-thalia-en' },
    { model: voice, encoding: 'linear16' },
    { model: voice, encoding: 'linear16', container: 'none', sample_rate: 16_000 },
    { model: voice, encoding: 'mulaw', container: 'none', sample_rate: 8_000 },
  ]
  const sizes = []
  for (const form of forms) sizes.push((await speak(form)).length)
  return sizes.every((size) => size > 5_000) && (await credit({ changedFrom: before })) < before && sizes.join(', ')
})

await run('streams speech', async () => {
  const socket = await client.speak.v1.createConnection({
    model: voice,
    encoding: 'linear16',
    sample_rate: 24_000,
    ...once,
  })
  const { until, bytes, ended } = await opened(socket)
  socket.sendText({ type: 'Speak', text: 'Good morning. ' })
  socket.sendText({ type: 'Speak', text: 'The library opens at nine.' })
  socket.sendFlush({ type: 'Flush' })
  await until(isOfType('Flushed'))
  const size = bytes()
  socket.sendClose({ type: 'Close' })
  await ended
  return size > 48_000 && `${size} bytes`
})

await run('cancels a stream, and pays for what was sent', async () => {
  const before = await credit()
  const socket = await client.speak.v1.createConnection({
    model: voice,
    encoding: 'linear16',
    sample_rate: 48_000,
    ...once,
  })
  const { until, ended } = await opened(socket)
  const long = 'This sentence is one of many that are never heard. '.repeat(60)
  socket.sendText({ type: 'Speak', text: long })
  await until((message) => message instanceof Blob)
  socket.sendClear({ type: 'Clear' })
  await until(isOfType('Cleared'))
  socket.sendText({ type: 'Speak', text: 'Now something else.' })
  socket.sendFlush({ type: 'Flush' })
  await until(isOfType('Flushed'))
  socket.sendClose({ type: 'Close' })
  await ended
  const spent = before - (await credit({ changedFrom: before }))
  const whole = await priceOf(long.length)
  return spent < whole * 0.9 && `${spent} of ${whole}`
})

await run('recognizes a recording', async () => {
  const before = await credit()
  const audio = await speak({ model: voice, encoding: 'linear16', sample_rate: 16_000 })
  const { metadata, results } = await client.listen.v1.media.transcribeFile(audio, {
    model: 'nova-3',
    smart_format: true,
  })
  const [{ transcript }] = results.channels[0].alternatives
  return (
    metadata.duration > 1 && transcript.length > 5 && (await credit({ changedFrom: before })) < before && transcript
  )
})

await run('recognizes a stream', async () => {
  const audio = await speak({ model: voice, encoding: 'linear16', container: 'none', sample_rate: 16_000 })
  const socket = await client.listen.v1.createConnection({
    ...{ model: 'nova-3', encoding: 'linear16', sample_rate: 16_000, ...once },
    ...{ interim_results: 'true', vad_events: 'true', utterance_end_ms: '1000' },
  })
  const { messages, until, ended } = await opened(socket)
  for (let at = 0; at < audio.length; at += 3_200) socket.sendMedia(audio.subarray(at, at + 3_200))
  socket.sendMedia(Buffer.alloc(32_000))
  socket.sendKeepAlive({ type: 'KeepAlive' })
  await until(isOfType('SpeechStarted'))
  await until(isOfType('UtteranceEnd'))
  socket.sendFinalize({ type: 'Finalize' })
  socket.sendCloseStream({ type: 'CloseStream' })
  const { duration } = await until(isOfType('Metadata'))
  await ended
  const final = messages.filter(({ type, is_final }) => type === 'Results' && is_final)
  const transcript = final.map(({ channel }) => channel.alternatives[0].transcript).join(' ')
  return duration > 1 && transcript.length > 5 && transcript
})

await run('gets an error by its name', async () => {
  const format = await client.speak.v1.audio
    .generate({ text, encoding: 'linear16', sample_rate: 32_000 })
    .catch((error) => error)
  const diarize = await client.listen.v1.media
    .transcribeFile(Buffer.alloc(9), { diarize: true })
    .catch((error) => error)
  const stranger = await new DeepgramClient({ apiKey: 'awp_nothing', environment: { base } }).speak.v1.audio
    .generate({ text })
    .catch((error) => error)
  const codes = [format, diarize, stranger].map(({ statusCode, body }) => `${statusCode} ${body?.err_code}`)
  return codes.join() === '400 UNSUPPORTED_FORMAT,400 INVALID_REQUEST,401 UNAUTHORIZED' || Promise.reject(codes.join())
})
// Its sockets connect again by timers.
process.exit()
