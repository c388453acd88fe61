import { randomUUID } from 'node:crypto'
import { createParlance, type Parlance, type Schemas, verifyWebhook } from '@parlance/server'
import { startWebhookReceiver } from '@parlance/testing'
import { createApi } from '../api.js'
import { newKey, onPlatform } from '../platforms.js'

export const serverLibrary = onPlatform('the library for Node', (platform) => {
  let parlance: Parlance
  let voice: Schemas['Voice']
  const text = 'The first sentence is short. The second one has a few more words in it.'

  beforeAll(async () => {
    const [url] = platform().urls
    const { key, authorization } = await newKey(platform())
    // No engine may have announced its voices yet.
    const { id } = await createApi(url, authorization).voice()
    parlance = createParlance({ url, apiKey: key.key, maxRetries: 5 })
    for await (const one of parlance.listVoices({ language: 'en' })) if (one.id === id) voice = one
  })

  const joined = async (audio: AsyncIterable<Uint8Array>) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of audio) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  test('speaks a text, with the times of its words where they are requested', async () => {
    const speech = await parlance.speak({ text, voice_id: voice.id, output: { format: 'wav' } })
    expect(speech).toMatchObject({ charactersBilled: text.length, contentType: expect.stringContaining('audio/wav') })
    const wav = await joined(speech.audio)
    expect([wav.toString('latin1', 0, 4), wav.readUInt32LE(24)]).toEqual(['RIFF', speech.sampleRateHz])
    const { alignment } = await parlance.speakWithTimes({ text, voice_id: voice.id, alignment: ['word'] })
    expect(alignment.words.length).toBe(text.split(' ').length)
  })

  test('speaks the tokens of a generator, and stops in the middle', async () => {
    async function* tokens(repeats = 1) {
      for (let n = 0; n < repeats; n += 1) yield* text.match(/\S+ ?/g) ?? []
    }
    const audio: Uint8Array[] = []
    let durationMs = 0
    for await (const event of parlance.streamSpeech(tokens(), { voice_id: voice.id })) {
      if (event.event === 'audio') audio.push(event.data)
      if (event.event === 'done') durationMs = event.audio_duration_ms
    }
    expect(Math.abs(Buffer.concat(audio).length / 48 - durationMs)).toBeLessThan(1)

    const speech = parlance.streamSpeech(tokens(20), { voice_id: voice.id })
    for await (const { event } of speech) {
      if (event !== 'audio') continue
      expect(await speech.cancel(100)).toMatchObject({ text_remaining: expect.stringContaining('words') })
      break
    }
  })

  test('creates, changes, publishes and deletes an Agent, and verifies the event of its webhook', async () => {
    const receiver = await startWebhookReceiver()
    const received = new Promise<void>((resolve) => {
      receiver.answer = (response) => {
        response.writeHead(204).end()
        resolve()
      }
    })
    try {
      const { id: webhookId, secret } = await parlance.createWebhook({ url: receiver.url, events: ['agent.published'] })
      const agent = await parlance.createAgent({
        slug: `node-${randomUUID().slice(0, 8)}`,
        display_name: 'Front desk',
        voice_id: voice.id,
        voice_config: { tts_variant: voice.variants[0]!.id },
        llm_provider: 'builtin',
        llm_model: 'rules',
      })
      const change = (display_name: string) => parlance.updateAgent(agent.id, { display_name }, { ifMatch: '"rev-1"' })
      expect(await change('Reception')).toMatchObject({ display_name: 'Reception' })
      await expect(change('Desk')).rejects.toMatchObject({ code: 'revision_conflict' })
      await parlance.publishAgent(agent.id)
      expect(await parlance.createSessionToken(agent.id)).toMatchObject({ token: expect.stringMatching(/^awst_/) })
      await received
      const event = verifyWebhook({ ...receiver.received[0]!, secret })
      expect(event).toMatchObject({ type: 'agent.published', data: { agent_id: agent.id } })
      await parlance.deleteWebhook(webhookId)
      await parlance.deleteAgent(agent.id)
      await expect(parlance.getAgent(agent.id)).rejects.toMatchObject({ code: 'agent_not_found', status: 404 })
    } finally {
      await receiver.stop()
    }
  })
})
