import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js'
import { bytesOf, check, credit, runDocumented, url, voice } from './checks.mjs'

const run = check.bind(undefined, '@elevenlabs/elevenlabs-js')
const connect = (apiKey) => new ElevenLabsClient({ apiKey, baseUrl: `${url}/v1/compat/elevenlabs`, maxRetries: 0 })
const { client, audio } = await runDocumented('docs/elevenlabs.md', ['client', 'audio'])
const text = 'Good morning. The library opens at nine.'

await run('lists voices and models', async () => {
  const { voices } = await client.voices.getAll()
  const { voices: found, totalCount } = await client.voices.search()
  const models = await client.models.list()
  const one = await client.voices.get(voice)
  return (
    voices.some(({ voiceId }) => voiceId === voice) &&
    found.length === totalCount &&
    models[0].canDoTextToSpeech &&
    one.voiceId === voice
  )
})

await run('speaks, in MP3, PCM and µ-law', async () => {
  const before = await credit()
  const sizes = []
  for (const outputFormat of ['mp3_44100_128', 'pcm_16000', 'ulaw_8000', 'opus_48000_64', 'wav_24000']) {
    const audio = await client.textToSpeech.convert(voice, { text, modelId: 'eleven_multilingual_v2', outputFormat })
    sizes.push((await bytesOf(audio)).length)
  }
  return sizes.every((size) => size > 5_000) && (await credit()) < before && sizes.join(', ')
})

await run('streams', async () => {
  const parts = []
  for await (const part of await client.textToSpeech.stream(voice, { text, outputFormat: 'pcm_24000' }))
    parts.push(part)
  return parts.length > 1 && (await bytesOf(audio)).length > 5_000
})

await run('gives the times of characters', async () => {
  const { audioBase64, alignment } = await client.textToSpeech.convertWithTimestamps(voice, { text })
  const { characters, characterStartTimesSeconds: starts } = alignment
  const ascends = starts.every((start, index) => index === 0 || start >= starts[index - 1])
  const streamed = []
  for await (const item of await client.textToSpeech.streamWithTimestamps(voice, { text })) streamed.push(item)
  const all = streamed.flatMap((item) => item.alignment.characters).join('')
  return audioBase64.length > 5_000 && characters.join('') === text && ascends && all === text
})

await run('gets an error by its name', async () => {
  const unknown = await client.textToSpeech.convert('21m00Tcm4TlvDq8ikWAM', { text }).catch((error) => error)
  const format = await client.textToSpeech.convert(voice, { text, outputFormat: 'pcm_32000' }).catch((error) => error)
  const stranger = await connect('awp_nothing')
    .voices.getAll()
    .catch((error) => error)
  const codes = [unknown, format, stranger].map(({ statusCode, body }) => `${statusCode} ${body?.code}`)
  return codes.join() === '404 voice_not_found,400 unsupported_format,401 unauthorized' || Promise.reject(codes.join())
})

await run('cancels, and pays for what was sent', async () => {
  const before = await credit()
  const long = 'This sentence is one of many that are never heard. '.repeat(80)
  const controller = new AbortController()
  const audio = await client.textToSpeech.stream(
    voice,
    { text: long, outputFormat: 'pcm_44100' },
    { abortSignal: controller.signal },
  )
  const reader = audio.getReader()
  await reader.read()
  controller.abort()
  await reader.cancel().catch(() => {})
  const spent = before - (await credit({ changedFrom: before }))
  const whole = await pricePerCharacter()
  return spent < whole * long.length * 0.9 && `${spent} of ${whole * long.length}`
})

async function pricePerCharacter() {
  const before = await credit()
  const sample = 'Exactly this.'
  await bytesOf(await client.textToSpeech.convert(voice, { text: sample }))
  return (before - (await credit({ changedFrom: before }))) / sample.length
}
