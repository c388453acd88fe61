import OpenAI, { toFile } from 'openai'
import { check, credit, key, url, voice } from './checks.mjs'

const run = check.bind(undefined, 'openai')
const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
const input = 'Good morning. The library opens at nine.'

await run('speaks, in every format', async () => {
  const before = await credit()
  const sizes = []
  for (const response_format of ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']) {
    const response = await client.audio.speech.create({ model: 'gpt-4o-mini-tts', voice, input, response_format })
    sizes.push((await response.arrayBuffer()).byteLength)
  }
  return sizes.every((size) => size > 5_000) && (await credit({ changedFrom: before })) < before && sizes.join(', ')
})

await run('streams', async () => {
  const response = await client.audio.speech.create({ model: 'tts-1', voice, input, response_format: 'pcm' })
  const parts = []
  for await (const part of response.body) parts.push(part)
  return parts.length > 1
})

await run('recognizes what it spoke, and charges for it', async () => {
  const speech = await client.audio.speech.create({ model: 'tts-1', voice, input, response_format: 'wav' })
  const before = await credit()
  const file = await toFile(Buffer.from(await speech.arrayBuffer()), 'speech.wav')
  const { text } = await client.audio.transcriptions.create({ model: 'whisper-1', file })
  return text.length > 5 && (await credit({ changedFrom: before })) < before && text
})

await run('gets an error by its name', async () => {
  const error = await client.audio.speech.create({ model: 'tts-1', voice: 'nobody', input }).catch((thrown) => thrown)
  return error instanceof OpenAI.NotFoundError && error.code === 'voice_not_found'
})

await run('cancels, and pays for what was sent', async () => {
  const before = await credit()
  const controller = new AbortController()
  const long = 'This sentence is one of many that are never heard. '.repeat(80)
  const response = await client.audio.speech.create(
    { model: 'tts-1', voice, input: long, response_format: 'pcm' },
    { signal: controller.signal },
  )
  const reader = response.body.getReader()
  await reader.read()
  controller.abort()
  return `${before - (await credit({ changedFrom: before }))} spent`
})
