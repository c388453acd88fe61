import { iterate, pushStreamFrom } from '@parlance/async/push-stream'
import { createAudioEncoder } from '@parlance/audio/encoding'
import type { SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import { ServiceError, synthesisRequestSchema } from '@parlance/contracts'
import { cutsBetween, segmentText } from '@parlance/speech'
import { createAudioChunker, maxChunkBytes } from '../src/audio-chunks.js'
import type { Engine } from '../src/engine/engine.js'
import { createVoiceFinder, requestedVoice } from '../src/requested-voice.js'
import { type SegmentSynthesizer, synthesize } from '../src/synthesis.js'
import { createToneEngine, msPerCharacter, voice } from './tone-engine.js'

const request = (fields: Partial<SynthesisRequest> = {}): SynthesisRequest => ({
  workspace_id: '5f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
  text: 'Hello there. ',
  cuts: cutsBetween(segmentText(fields.text ?? 'Hello there. ', 'en')),
  voice: voice.id,
  variant: null,
  language: null,
  output: { format: 'pcm_s16le', sample_rate: 22050, bit_rate: null },
  speed: 1,
  volume: 1,
  alignment: [],
  private: false,
  ...fields,
})

const find = (asked: Pick<SynthesisRequest, 'voice' | 'variant' | 'language'>) =>
  requestedVoice(createVoiceFinder([voice]), asked)
const synthesizerOf = ({ sampleRateHz, speak }: Pick<Engine, 'sampleRateHz' | 'speak'>): SegmentSynthesizer => ({
  sampleRateHz,
  isPiecewise: false,
  speak: (utterance, onStart) => pushStreamFrom((signal) => speak(utterance, { signal, onStart })),
})
const start = (
  engine: Pick<Engine, 'sampleRateHz' | 'speak'>,
  asked: SynthesisRequest,
  signal = new AbortController().signal,
) => iterate(synthesize(synthesizerOf(engine), asked, find(asked), { acceptedMs: performance.now() }), signal)

const speak = async (asked: SynthesisRequest, engine = createToneEngine()) => {
  const chunks: SynthesisChunk[] = []
  for await (const chunk of start(engine, asked)) chunks.push(chunk)
  return chunks
}

const ofKind = <Event extends SynthesisChunk['event']>(chunks: SynthesisChunk[], event: Event) =>
  chunks.filter((chunk): chunk is Extract<SynthesisChunk, { event: Event }> => chunk.event === event)

/** Several segments' worth. */
const longText = `Words ${'word '.repeat(40)}end. `.repeat(4)

test('the answer begins with started and ends with done, and the audio lies between without a gap', async () => {
  const chunks = await speak(request({ text: longText }))
  expect(chunks[0]).toMatchObject({ event: 'started' })
  expect(chunks.at(-1)).toMatchObject({ event: 'done', characters_billed: longText.length })
  let clockMs = 0
  for (const [index, { seq, start_ms, duration_ms, data }] of ofKind(chunks, 'audio').entries()) {
    expect(seq).toBe(index)
    expect(start_ms).toBeCloseTo(clockMs, 5)
    expect(data.length).toBeLessThanOrEqual(maxChunkBytes)
    clockMs = start_ms + duration_ms
  }
  const [done] = ofKind(chunks, 'done')
  expect(clockMs).toBeCloseTo(done!.audio_duration_ms, 5)
  expect(done!.audio_duration_ms).toBeCloseTo(longText.length * msPerCharacter, 0)
})

test('a segment that another follows ends with its pause, and the alignment of the next comes after that', async () => {
  const text = 'One.  -  Two. '
  const cuts = [4, 8]
  const engine = createToneEngine({ pauseMsAfter: (spoken) => (spoken === 'One.' ? 300 : 200), silentTexts: ['  - '] })
  const chunks = await speak(request({ text, cuts, alignment: ['word'] }), engine)
  const audio = Buffer.concat(ofKind(chunks, 'audio').map(({ data }) => data))
  const pcm = new Int16Array(audio.buffer.slice(audio.byteOffset, audio.byteOffset + audio.length))
  const silentMs = (pcm.filter((sample) => sample === 0).length * 1000) / 22050
  expect(silentMs).toBeCloseTo(300, 0)
  expect(pcm.at(-1)).not.toBe(0)
  expect(ofKind(chunks, 'segment')).toEqual([
    { event: 'segment', segment: 0, characters: 4, pause_ms: 300 },
    { event: 'segment', segment: 1, characters: 4 },
    { event: 'segment', segment: 2, characters: 6, pause_ms: 200 },
  ])
  const [, , second] = ofKind(chunks, 'alignment')
  expect(second!.words[0]).toMatchObject({ text: 'Two', start_ms: 4 * msPerCharacter + 300 + msPerCharacter })
  const [done] = ofKind(chunks, 'done')
  expect(done!.audio_duration_ms).toBeCloseTo(10 * msPerCharacter + 300, 0)
})

test('all samples of all segments are there, in order', async () => {
  const audio = Buffer.concat(ofKind(await speak(request({ text: longText })), 'audio').map(({ data }) => data))
  expect(audio.length / 2).toBeCloseTo((longText.length * msPerCharacter * 22050) / 1000, -2)
})

test('when an engine marks its last samples, the end of the audio is not a separate chunk', async () => {
  const asked = request({ text: 'I', output: { format: 'pcm_s16le', sample_rate: 24000, bit_rate: null } })
  const spoken = ofKind(await speak(asked), 'audio')
  const ending = ofKind(await speak(asked, createToneEngine({ knowsLast: true })), 'audio')
  expect([spoken.length, ending.length]).toEqual([2, 1])
  expect(Buffer.from(ending[0]!.data)).toEqual(Buffer.concat(spoken.map(({ data }) => data)))
  const several = await speak(request({ text: longText, alignment: ['word'] }), createToneEngine({ knowsLast: true }))
  const events = (await speak(request({ text: longText, alignment: ['word'] }))).map(({ event }) => event)
  expect(several.map(({ event }) => event)).toEqual(events)
})

test('compressed audio is sent in small chunks, however much was made at once', async () => {
  const pcm = Int16Array.from({ length: 24000 }, (_, at) => 8000 * Math.sin(at / 20))
  const engine = {
    sampleRateHz: 24000,
    async *speak() {
      yield { kind: 'audio', pcm, isLast: true } as const
    },
  }
  const pieces = async (output: SynthesisRequest['output']) => {
    const asked = request({ output })
    let count = 0
    for await (const { event } of start(engine, asked)) if (event === 'audio') count += 1
    return count
  }
  expect(await pieces({ format: 'pcm_s16le', sample_rate: 24000, bit_rate: null })).toBe(1)
  expect(await pieces({ format: 'mp3', sample_rate: 24000, bit_rate: 64000 })).toBeGreaterThan(2)
})

test('more samples than fit a message are divided into chunks of equal length', async () => {
  const output = { format: 'pcm_s16le', sample_rate: 48000, bit_rate: null } as const
  const encoder = await createAudioEncoder({ output, inputSampleRateHz: 48000 })
  const chunker = createAudioChunker(encoder, 48000)
  const bytes = 2 * maxChunkBytes + 2
  const pieces = chunker.finish(Int16Array.from({ length: bytes / 2 }, (_, at) => at))
  expect(pieces.map(({ data }) => data.length)).toEqual([43692, 43692, 43690])
  expect(Buffer.concat(pieces.map(({ data }) => data))).toEqual(
    Buffer.from(Int16Array.from({ length: bytes / 2 }, (_, at) => at).buffer),
  )
  let clockMs = 0
  for (const { start_ms, duration_ms, data } of pieces) {
    expect(start_ms).toBeCloseTo(clockMs, 9)
    expect(duration_ms).toBeCloseTo(data.length / 96, 9)
    clockMs += duration_ms
  }
})

test('a text that is to be spoken whole is one segment, however long', async () => {
  const engine = createToneEngine()
  const chunks = await speak(request({ text: longText, cuts: [] }), engine)
  expect(engine.begun).toEqual([longText])
  expect(ofKind(chunks, 'segment')).toEqual([{ event: 'segment', segment: 0, characters: longText.length }])
})

test('a text that was cut is spoken in those segments', async () => {
  const engine = createToneEngine()
  const segments = ['One of them. And', ' the next', ' 😀 and the last.']
  const cuts = [segments[0]!.length, segments[0]!.length + segments[1]!.length]
  const chunks = await speak(request({ text: segments.join(''), cuts }), engine)
  expect(engine.begun).toEqual(segments)
  expect(ofKind(chunks, 'segment').map(({ segment, characters }) => [segment, characters])).toEqual([
    [0, 16],
    [1, 9],
    [2, 16],
  ])
})

test.each([[[0]], [[5]], [[3, 3]], [[3, 2]], [[1.5]]])('a text cannot be cut at %j', (cuts) => {
  const at = (places: number[]) => synthesisRequestSchema.safeParse(request({ text: 'Hello', cuts: places })).success
  expect([at(cuts), at([1, 4])]).toEqual([false, true])
})

test('characters are billed as code points', async () => {
  const chunks = await speak(request({ text: 'a😀b' }))
  expect(chunks.at(-1)).toMatchObject({ characters_billed: 3 })
})

test('words run on the clock of the whole audio, across segments', async () => {
  const chunks = await speak(request({ text: longText, alignment: ['word', 'viseme'] }))
  const alignments = ofKind(chunks, 'alignment')
  expect(alignments.map(({ segment }) => segment)).toEqual(alignments.map((_, index) => index))
  expect(alignments.length).toBeGreaterThan(2)
  const words = alignments.flatMap(({ words }) => words)
  for (const [index, match] of [...longText.matchAll(/\p{L}+/gu)].entries()) {
    expect(words[index]!.text).toBe(match[0])
    expect(Math.abs(words[index]!.start_ms - match.index * msPerCharacter)).toBeLessThan(1)
  }
  expect(alignments.every(({ phonemes }) => phonemes.length === 0)).toBe(true)
})

test('a diphthong moves the mouth twice, and marks that were not requested are empty', async () => {
  const [alignment] = ofKind(await speak(request({ text: 'I', alignment: ['viseme'] })), 'alignment')
  expect(alignment).toMatchObject({
    words: [],
    phonemes: [],
    visemes: [
      { id: 'aa', start_ms: 0, end_ms: 25 },
      { id: 'I', start_ms: 25, end_ms: 50 },
    ],
  })
})

test('the engine is at most two segments ahead of a reader that stops', async () => {
  const engine = createToneEngine()
  const chunks = start(engine, request({ text: longText.repeat(3) }))
  await chunks.next()
  await chunks.next()
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
  expect(engine.begun.length).toBeLessThanOrEqual(2)
  await chunks.return?.(undefined)
})

test('leaving the loop stops the engine', async () => {
  const engine = createToneEngine()
  for await (const chunk of start(engine, request({ text: longText }))) if (chunk.event === 'audio') break
  expect(engine.begun.length).toBeLessThanOrEqual(2)
  while (engine.stopped() < engine.begun.length) await new Promise(setImmediate)
})

test('an abort stops the engine and rejects with its reason', async () => {
  const engine = createToneEngine()
  const controller = new AbortController()
  const chunks = start(engine, request({ text: longText }), controller.signal)
  await chunks.next()
  const reason = new Error('hung up')
  controller.abort(reason)
  const drain = async () => {
    for await (const _ of chunks);
  }
  await expect(drain()).rejects.toBe(reason)
  while (engine.stopped() < engine.begun.length) await new Promise(setImmediate)
})

test('an engine that fails in the middle fails the whole, after the audio before it', async () => {
  const failure = new ServiceError('upstream_error', 'The engine stopped.')
  const engine = createToneEngine({ failAt: () => failure })
  const chunks: SynthesisChunk[] = []
  const read = async () => {
    for await (const chunk of start(engine, request({ text: 'Hello there, you.' }))) chunks.push(chunk)
  }
  await expect(read()).rejects.toBe(failure)
  expect(ofKind(chunks, 'audio').length).toBeGreaterThan(0)
  expect(ofKind(chunks, 'done')).toEqual([])
})

test('a voice is found by id or by name in any case; errors list the available ones', () => {
  const asked = { voice: voice.id, variant: null, language: null }
  expect(find(asked)).toMatchObject({ voice: { id: voice.id }, variant: 'standard', language: 'en-US' })
  expect(find({ ...asked, voice: 'aDA', language: 'EN' })).toMatchObject({ language: 'en' })
  const failing = (fields: object) => {
    try {
      find({ ...asked, ...fields })
    } catch (error) {
      return error
    }
  }
  expect(failing({ voice: 'Nobody' })).toMatchObject({ code: 'voice_not_found' })
  expect(failing({ variant: 'neural' })).toMatchObject({ detail: expect.stringContaining('standard') })
  expect(failing({ language: 'fr' })).toMatchObject({ detail: expect.stringContaining('en-US') })
})
