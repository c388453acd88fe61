import { connect } from 'node:net'
import tls from 'node:tls'
import { bytesOf, check, credit, runDocumented, voice } from './checks.mjs'

// The library opens its WebSocket with TLS at any address; this one is reached without.
tls.connect = ({ port, host }) => connect(port, host)

const run = check.bind(undefined, '@cartesia/cartesia-js')
const documented = await runDocumented('docs/cartesia.md', ['client', 'socket'])
const { client } = documented
const text = 'Good morning. The library opens at nine.'
const raw = { container: 'raw', encoding: 'pcm_s16le', sample_rate: 16_000 }
const common = { model_id: 'sonic-3', voice: { mode: 'id', id: voice }, language: 'en' }

await run('lists voices', async () => {
  const ids = []
  for await (const { id } of client.voices.list({ limit: 3 })) ids.push(id)
  return ids.includes(voice) && new Set(ids).size === ids.length && (await client.voices.get(voice)).id === voice
})

await run('speaks, in MP3, WAV and PCM', async () => {
  const before = await credit()
  const sizes = []
  for (const output_format of [
    { container: 'mp3', sample_rate: 44_100, bit_rate: 128_000 },
    { container: 'wav', encoding: 'pcm_f32le', sample_rate: 44_100 },
    { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8_000 },
    raw,
  ]) {
    const response = await client.tts.generate({ ...common, transcript: text, output_format })
    sizes.push((await bytesOf(response.body)).length)
  }
  return sizes.every((size) => size > 5_000) && (await credit({ changedFrom: before })) < before && sizes.join(', ')
})

await run('streams, with the times of words', async () => {
  const kinds = new Set()
  const words = []
  const stream = await client.tts.generateSSE({ ...common, transcript: text, output_format: raw, add_timestamps: true })
  for await (const event of stream) {
    kinds.add(event.type)
    if (event.type === 'timestamps') words.push(...event.word_timestamps.words)
  }
  return [...kinds].sort().join() === 'chunk,done,timestamps' && words.includes('library')
})

await run('speaks while text is being written, and flushes', async () => {
  const { socket } = documented
  try {
    const context = socket.context({ ...common, output_format: raw, add_timestamps: true })
    await context.push({ transcript: 'Good morning. ', flush: true })
    await context.push({ transcript: 'The library ' })
    await context.push({ transcript: 'opens at nine.' })
    await context.no_more_inputs()
    const events = []
    for await (const event of context.receive({ timeout: 20_000 })) events.push(event)
    const bytes = events.reduce((sum, { audio }) => sum + (audio?.length ?? 0), 0)
    const kinds = new Set(events.map(({ type }) => type))
    return bytes > 20_000 && [...kinds].sort().join() === 'chunk,done,flush_done,timestamps'
  } finally {
    socket.close()
  }
})

await run('cancels a context, and pays for what was sent', async () => {
  const before = await credit()
  const socket = await client.tts.websocket()
  try {
    const context = socket.context({ ...common, output_format: raw })
    const long = 'This sentence is one of many that are never heard. '.repeat(60)
    await context.push({ transcript: long })
    let bytes = 0
    for await (const { type, audio } of context.receive({ timeout: 20_000 })) {
      if (type === 'chunk') bytes += audio.length
      break
    }
    await socket.cancelContext(context.contextId)
    return bytes > 0 && `${before - (await credit({ changedFrom: before }))} spent`
  } finally {
    socket.close()
  }
})

await run('gets an error by its name', async () => {
  const wrong = { ...common, voice: { mode: 'id', id: 'a0e99841-438c-4a64-b679-ae501e7d6091' } }
  const error = await client.tts.generate({ ...wrong, transcript: text, output_format: raw }).catch((thrown) => thrown)
  const socket = await client.tts.websocket()
  socket.on('error', () => {})
  const context = socket.context({ ...wrong, output_format: raw })
  await context.push({ transcript: text })
  const message = await context.receive({ timeout: 20_000 }).next()
  socket.close()
  return (
    error.status === 404 &&
    error.error.error_code === 'voice_not_found' &&
    message.value.error_code === 'voice_not_found'
  )
})
