import type { Voice } from '@parlance/contracts'
import { connectStream, type StreamClient } from '../../services/gateway/test/stream-client.js'
import { type Api, createApi, tokenOf } from '../api.js'
import { eventually } from '../eventually.js'
import { newKey, onPlatform } from '../platforms.js'

export const stream = onPlatform('speech over a WebSocket', (platform) => {
  let api: Api
  let voice: Voice
  const clients: StreamClient[] = []

  beforeAll(async () => {
    api = createApi(platform().urls[0], (await newKey(platform())).authorization)
    voice = await api.voice()
  })
  afterEach(() => {
    for (const { socket } of clients.splice(0)) socket.terminate()
  })

  const mint = async (by = api, body: object = {}): Promise<string> =>
    tokenOf(await by.post('/v1/tts/stream-tokens', body))
  const connect = (token: string): StreamClient => {
    const urls = platform().urls
    const client = connectStream(urls[clients.length % urls.length]!, token)
    clients.push(client)
    return client
  }
  const start = (fields: object = {}) => ({
    event: 'start',
    voice_id: voice.id,
    alignment: ['word', 'viseme'],
    ...fields,
  })
  const words = 'The first sentence is short. The second one takes a little longer to say, for it has more words in it.'

  test('text that is sent word by word is spoken, with the times of its words', async () => {
    const client = connect(await mint())
    await client.next('ready')
    client.send(start())
    for (const word of words.split(/(?= )/)) client.send({ event: 'text', text: word })
    client.send({ event: 'end' })
    const done = await client.next('done')
    const pcm = client.audioOf()
    const durationMs = (pcm.length / 2 / 24_000) * 1000
    expect(Math.abs(durationMs - done.audio_duration_ms)).toBeLessThan(1)
    expect(done.characters_billed).toBe(words.length)
    const samples = new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length))
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
    expect(Math.sqrt(power)).toBeGreaterThan(500)
    const alignedWords = client.of('alignment').flatMap((alignment) => alignment.words)
    expect(alignedWords.length).toBeGreaterThan(15)
    for (const [index, word] of alignedWords.entries()) {
      expect(word.end_ms).toBeGreaterThanOrEqual(word.start_ms)
      expect(word.start_ms).toBeGreaterThanOrEqual(alignedWords[index - 1]?.start_ms ?? 0)
      expect(word.end_ms).toBeLessThanOrEqual(done.audio_duration_ms + 1)
    }
    expect(client.of('alignment').some(({ visemes }) => visemes.length > 0)).toBe(true)
  })

  test('contexts side by side each speak their own text, and usage counts every code point', async () => {
    const { authorization } = await newKey(platform())
    const own = createApi(platform().urls[0], authorization)
    const client = connect(await mint(own))
    await client.next('ready')
    const ids = ['a', 'b', 'c', 'd']
    for (const context_id of ids) {
      client.send(start({ context_id, output: { format: 'ulaw' } }))
      client.send({ event: 'text', context_id, text: `${words} This was ${context_id}.` })
      client.send({ event: 'end', context_id })
    }
    const done = await Promise.all(ids.map((id) => client.next('done', id)))
    expect(client.of('error')).toEqual([])
    for (const [index, id] of ids.entries()) {
      const bytes = client.audioOf(id).length
      expect(Math.abs(bytes / 8 - done[index]!.audio_duration_ms)).toBeLessThan(1)
    }
    const characters = done.reduce((sum, { characters_billed }) => sum + characters_billed, 0)
    expect(characters).toBe(ids.length * `${words} This was a.`.length)
    const [usage] = await eventually(async () => {
      const { body } = await own.get('/v1/usage?group_by=kind')
      return body.usage[0]?.tts_characters === characters ? body.usage : undefined
    })
    const { body } = await own.get('/v1/credit')
    expect(Number(body.balance)).toBeCloseTo(100 - Number(usage.credit_used), 9)
  })

  test('a cancelled context sends nothing more, and reports the remaining text', async () => {
    const client = connect(await mint())
    await client.next('ready')
    client.send(start())
    const text = words.repeat(5)
    client.send({ event: 'text', text })
    // A segment's words arrive with its audio, a hundred times faster than they are played.
    await client.next('alignment')
    client.send({ event: 'cancel', played_ms: 300 })
    const { text_spoken, text_remaining } = await client.next('cancelled')
    expect(text_spoken + text_remaining).toBe(text)
    expect(text_spoken).toMatch(/^The\b/)
    expect(text_remaining.length).toBeGreaterThan(text.length - 40)
    const after = client.messages.slice(client.messages.findIndex(({ event }) => event === 'cancelled') + 1)
    client.send(start({ context_id: 'next' }))
    client.send({ event: 'text', context_id: 'next', text: 'Again.' })
    client.send({ event: 'end', context_id: 'next' })
    await client.next('done', 'next')
    expect(after.filter((message) => 'context_id' in message && message.context_id === 'default')).toEqual([])
  })

  test('a connection of a workspace that was suspended after its token was minted is closed with 4403', async () => {
    const { workspace, authorization } = await newKey(platform())
    const token = await mint(createApi(platform().urls[0], authorization))
    await platform().auth.updateWorkspace({ workspace_id: workspace.id, suspended: true })
    expect((await connect(token).closed).code).toBe(4403)
  })

  test('an unknown voice is an error only of its context', async () => {
    const client = connect(await mint())
    await client.next('ready')
    client.send(start({ context_id: 'unknown', voice_id: '0'.repeat(32) }))
    client.send({ event: 'text', context_id: 'unknown', text: 'Hello.' })
    client.send({ event: 'end', context_id: 'unknown' })
    expect(await client.next('error')).toMatchObject({ code: 'voice_not_found', context_id: 'unknown' })
    client.send(start())
    await client.next('started', 'default')
  })
})
