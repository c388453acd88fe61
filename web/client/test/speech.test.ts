import { setTimeout as delay } from 'node:timers/promises'
import { createSpeechClient, createSpokenWords, type SpeechPart, type SpeechRequest } from '../src/speech.js'

type Message = { readonly event: string; readonly [name: string]: unknown }

/** A connection to the service, which a test scripts. It is ready as soon as it is open. */
class FakeSocket extends EventTarget {
  static readonly OPEN = 1
  static opened: FakeSocket[] = []
  static refusal: Message | undefined
  readonly sent: Message[] = []
  readyState = 0
  constructor(
    readonly url: string,
    readonly protocols: string[],
  ) {
    super()
    FakeSocket.opened.push(this)
    queueMicrotask(() => {
      this.readyState = FakeSocket.OPEN
      this.receive(FakeSocket.refusal ?? { event: 'ready' })
      if (FakeSocket.refusal) this.close()
    })
  }
  send(text: string) {
    this.sent.push(JSON.parse(text))
  }
  close() {
    this.readyState = 3
    this.dispatchEvent(new Event('close'))
  }
  receive(message: Message) {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
  }
  receiveAudio(contextIndex: number, startMs: number, ...samples: number[]) {
    const frame = new ArrayBuffer(12 + 2 * samples.length)
    const header = new DataView(frame)
    header.setUint8(0, 1)
    header.setUint8(1, 1)
    header.setUint16(2, contextIndex)
    header.setUint32(8, startMs)
    new Int16Array(frame, 12).set(samples)
    this.dispatchEvent(new MessageEvent('message', { data: frame }))
  }
}

const { WebSocket } = globalThis
beforeEach(() => {
  FakeSocket.opened = []
  FakeSocket.refusal = undefined
  Object.assign(globalThis, { WebSocket: FakeSocket })
})
afterAll(() => void Object.assign(globalThis, { WebSocket }))

/** A client whose connection is open. */
const setUp = async () => {
  const tokens: string[] = []
  const client = createSpeechClient({
    apiOrigin: 'https://voice.example.com/',
    streamToken: () => {
      tokens.push(`awtt_${tokens.length}`)
      return tokens.at(-1)!
    },
  })
  await client.connect()
  const [socket] = FakeSocket.opened as [FakeSocket]
  /** A speech that the service has started under this index. */
  const speak = async (request: Partial<SpeechRequest> = {}, context_index = 1) => {
    const speech = client.speak({ text: 'Hello.', voiceId: 'ada', ...request })
    await delay(1)
    const { context_id } = socket.sent.findLast(({ event }) => event === 'start')!
    socket.receive({ event: 'started', context_id, context_index, output: {} })
    const parts: SpeechPart[] = []
    const read = async () => {
      for await (const part of speech) parts.push(part)
    }
    const over = read()
    over.catch(() => {})
    return { speech, context_id, parts, over }
  }
  return { client, socket, speak, tokens }
}
const done = { event: 'done', audio_duration_ms: 40, characters_billed: 6, ttfa_ms: 9 }

test('a speech is audio and times in the order in which they arrive, and then its figures', async () => {
  const { socket, speak } = await setUp()
  expect(socket.url).toBe('wss://voice.example.com/v1/tts/stream')
  expect(socket.protocols).toEqual(['awp.tts.v1', 'awp.token.awtt_0'])
  const { speech, context_id, parts, over } = await speak({ speed: 1.5 })
  expect(socket.sent).toEqual([
    {
      ...{ event: 'start', context_id, voice_id: 'ada', speed: 1.5, alignment: ['word'], audio_frames: 'binary' },
      output: { format: 'pcm_s16le', sample_rate: 24_000 },
    },
    { event: 'text', context_id, text: 'Hello.' },
    { event: 'end', context_id },
  ])
  const words = [{ text: 'Hello', start_ms: 0, end_ms: 30 }]
  socket.receive({ event: 'alignment', context_id, words, phonemes: [], visemes: [] })
  socket.receiveAudio(1, 20, 5, -5)
  socket.receiveAudio(2, 0, 9)
  socket.receive({ ...done, context_id })
  await over
  expect(parts).toEqual([
    { type: 'alignment', words, phonemes: [], visemes: [] },
    { type: 'audio', samples: new Int16Array([5, -5]), startMs: 20 },
  ])
  expect(await speech.ended).toEqual({ type: 'done', audioDurationMs: 40, charactersBilled: 6, ttfaMs: 9 })
})

test('a text that is still being written is sent as it comes, parts that come at once together, and none is held back', async () => {
  const { socket, speak } = await setUp()
  let finish = () => {}
  const { context_id } = await speak({
    text: (async function* () {
      yield 'One'
      yield ' two'
      yield ' three.'
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      yield 'x'.repeat(4_001)
    })(),
  })
  const texts = () => socket.sent.filter(({ event }) => event === 'text').map(({ text }) => text)
  while (texts().length < 2) await delay(5)
  expect(texts()).toEqual(['One', ' two three.'])
  finish()
  while (socket.sent.at(-1)!.event !== 'end') await delay(5)
  expect(texts().slice(2)).toEqual(['x'.repeat(4_000), 'x'])
  socket.receive({ ...done, context_id })
})

test('a speech that is cancelled, or whose loop is left, gives no more audio, and ends with what was spoken', async () => {
  const { socket, client, speak } = await setUp()
  const { speech, context_id, parts, over } = await speak()
  socket.receiveAudio(1, 0, 1)
  await delay(1)
  speech.cancel(120)
  socket.receiveAudio(1, 0, 2)
  await over
  expect(parts).toHaveLength(1)
  expect(socket.sent.at(-1)).toEqual({ event: 'cancel', context_id, played_ms: 120 })
  const figures = { characters_billed: 3, text_spoken: 'Hel', text_remaining: 'lo.' }
  socket.receive({ event: 'cancelled', context_id, ...figures })
  expect(await speech.ended).toEqual({
    type: 'cancelled',
    charactersBilled: 3,
    textSpoken: 'Hel',
    textRemaining: 'lo.',
  })

  const left = client.speak({ text: 'Bye.', voiceId: 'ada' })
  await delay(1)
  socket.receive({ event: 'started', context_id: 'speech-2', context_index: 2 })
  socket.receiveAudio(2, 0, 1)
  for await (const _ of left) break
  expect(socket.sent.at(-1)).toEqual({ event: 'cancel', context_id: 'speech-2' })
})

test('the error of a speech is thrown by its loop, and the others go on; a lost connection ends all, and the next speech opens another', async () => {
  const { socket, client, speak, tokens } = await setUp()
  const failed = await speak()
  const other = await speak({}, 2)
  const error = { code: 'voice_not_found', detail: 'There is no such voice.', retryable: false, request_id: 'r' }
  socket.receive({ event: 'error', ...error, context_id: failed.context_id })
  await expect(failed.over).rejects.toMatchObject({ name: 'ParlanceError', code: 'voice_not_found', requestId: 'r' })
  socket.receiveAudio(2, 0, 1)
  await delay(1)
  expect(other.parts).toHaveLength(1)
  socket.close()
  await expect(other.over).rejects.toMatchObject({ code: 'network_error', retryable: true })
  await expect(other.speech.ended).rejects.toMatchObject({ code: 'network_error' })
  await client.connect()
  expect([FakeSocket.opened.length, tokens.length]).toEqual([2, 2])
  client.close()
})

test('a token that the page does not give, and a connection that the service refuses, are a `ParlanceError`', async () => {
  const without = createSpeechClient({ apiOrigin: 'https://voice.example.com', streamToken: () => '' })
  await expect(without.connect()).rejects.toMatchObject({ code: 'token_unavailable' })
  await expect(without.speak({ text: 'Hello.', voiceId: 'ada' }).ended).rejects.toMatchObject({
    code: 'token_unavailable',
  })
  FakeSocket.refusal = { event: 'error', code: 'insufficient_credit', detail: 'No credit.', retryable: false }
  const refused = createSpeechClient({ apiOrigin: 'https://voice.example.com', streamToken: () => 'awtt_x' })
  await expect(refused.connect()).rejects.toMatchObject({ code: 'insufficient_credit' })
})

const word = (text: string, start_ms: number) => ({ text, start_ms, end_ms: start_ms + 80 })

/** The parts of the text for the words. */
const placesOf = (text: string, spoken: readonly string[]) => {
  const words = createSpokenWords(text)
  words.add(spoken.map((one, index) => word(one, index * 100)))
  return spoken.map((_, index) => {
    const range = words.at(index * 100)
    return range && text.slice(range.from, range.to)
  })
}

test('each word of the audio is found in the text, in any case and with any punctuation', () => {
  expect(placesOf('Ada, ada! THE end.', ['ada', 'ada', 'the', 'end'])).toEqual(['Ada', 'ada', 'THE', 'end'])
})

test('a word that the engine reports in another form leaves the previous word highlighted', () => {
  expect(placesOf('I have 20 apples.', ['I', 'have', 'twenty', 'apples'])).toEqual(['I', 'have', 'have', 'apples'])
})

test('the length of what was spoken ends with the last word that had ended', () => {
  const words = createSpokenWords('one two three')
  words.add([word('one', 0), word('two', 100), word('three', 200)])
  expect([50, 80, 250, 280].map((positionMs) => words.lengthAt(positionMs))).toEqual([0, 3, 7, 13])
  expect(words.at(-1)).toBeUndefined()
})
