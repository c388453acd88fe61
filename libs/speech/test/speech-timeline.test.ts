import { silentAudio } from '@parlance/audio'
import type { AudioOutput, SynthesisChunk } from '@parlance/contracts'
import { createSpeechTimeline, cutText, rebaseChunk } from '../src/index.js'
import { chunksOf, msPerCharacter } from './scripted-synthesis.js'

const text = 'One. Two. Three. Four.'
const cuts = [4, 9, 16]

const placeAll = (timeline: ReturnType<typeof createSpeechTimeline>, chunks: readonly SynthesisChunk[]) =>
  chunks.flatMap((chunk) => timeline.place(chunk) ?? [])

test('a part is moved by its origin: audio without a gap, words, phonemes, visemes and the number of the segment', () => {
  const mark = { text: 'a', start_ms: 0.1, end_ms: 50.2 }
  const alignment = {
    event: 'alignment' as const,
    segment: 1,
    words: [mark],
    phonemes: [mark],
    visemes: [{ id: 'aa' as const, start_ms: 0.1, end_ms: 50.2 }],
  }
  const moved = { start_ms: 100.3, end_ms: 150.4 }
  expect(rebaseChunk(alignment, { ms: 100.2, segment: 2 })).toEqual({
    event: 'alignment',
    segment: 3,
    words: [{ text: 'a', ...moved }],
    phonemes: [{ text: 'a', ...moved }],
    visemes: [{ id: 'aa', ...moved }],
  })
  const audio = { event: 'audio' as const, seq: 0, segment: 0, data: new Uint8Array() }
  const first = rebaseChunk({ ...audio, start_ms: 0, duration_ms: 33.3 }, { ms: 0.1, segment: 0 })
  const second = rebaseChunk({ ...audio, start_ms: 33.3, duration_ms: 0.3 }, { ms: 0.1, segment: 0 })
  expect(first.start_ms + first.duration_ms).toBe(second.start_ms)
})

test('a speech that is continued by another worker after each segment has the same chunks as one that is not', () => {
  const whole = placeAll(createSpeechTimeline(), chunksOf(text, cuts))
  for (const [lost, cut] of cuts.entries()) {
    const timeline = createSpeechTimeline()
    const chunks = chunksOf(text, cuts)
    const end = chunks.findIndex((chunk) => chunk.event === 'segment' && chunk.segment === lost)
    const before = placeAll(timeline, chunks.slice(0, end + 1))
    const restCuts = cuts.slice(lost + 1).map((place) => place - cut)
    expect([...before, ...placeAll(timeline, chunksOf(text.slice(cut), restCuts))]).toEqual(
      whole.map((chunk) => ({ ...chunk })),
    )
    expect(timeline.done()).toEqual(whole.at(-1))
  }
})

test('continued elsewhere after a pause and a part of the first segment, a synthesis has the same audio', () => {
  const one = chunksOf('One.', [], 300)
  const two = chunksOf(' Two, three. Four.', [12], 300)
  const place = (lostAfter: number) => placeAll(createSpeechTimeline(), [...one, ...two.slice(0, lostAfter), ...two])
  const audioOf = (chunks: readonly SynthesisChunk[]) =>
    Buffer.concat(chunks.map((chunk) => (chunk.event === 'audio' ? chunk.data : Buffer.alloc(0))))
  const whole = placeAll(createSpeechTimeline(), [...one, ...two])
  // `started` and one or two chunks of audio.
  for (const lostAfter of [2, 3]) {
    expect(audioOf(place(lostAfter))).toEqual(audioOf(whole))
    expect(place(lostAfter).at(-1)).toEqual(whole.at(-1))
  }
})

test.each(['pcm_s16le', 'wav', 'ulaw'] as const)(
  'continued elsewhere in the middle of a segment, a speech in %s has each of its samples and its alignment once',
  (format) => {
    const header = Buffer.alloc(format === 'wav' ? 44 : 0)
    const sampleBytes = format === 'ulaw' ? 1 : 2
    const samples = Buffer.from(Array.from({ length: 800 * sampleBytes }, (_, index) => index % 251))
    /** 100 ms of 8 kHz in chunks of so many samples. */
    const synthesis = (chunkSamples: number): SynthesisChunk[] => {
      const chunks: SynthesisChunk[] = []
      for (let at = 0; at < 800; at += chunkSamples) {
        const data = samples.subarray(at * sampleBytes, (at + chunkSamples) * sampleBytes)
        chunks.push({
          event: 'audio',
          seq: chunks.length,
          segment: 0,
          start_ms: at / 8,
          duration_ms: data.length / sampleBytes / 8,
          data: at === 0 ? Buffer.concat([header, data]) : data,
        })
      }
      const output: AudioOutput = { format, sample_rate: 8000, bit_rate: null }
      return [
        { event: 'started', output, queue_ms: 0, ttfa_ms: 1 },
        ...chunks,
        { event: 'alignment', segment: 0, words: [{ text: 'a', start_ms: 0, end_ms: 90 }], phonemes: [], visemes: [] },
        { event: 'segment', segment: 0, characters: 4 },
        { event: 'done', audio_duration_ms: 100, characters_billed: 4, ttfa_ms: 1 },
      ]
    }
    const bytesOf = (chunks: readonly SynthesisChunk[]) =>
      Buffer.concat(chunks.map((chunk) => (chunk.event === 'audio' ? chunk.data : Buffer.alloc(0))))
    const withoutAudio = (chunks: readonly SynthesisChunk[]) => chunks.filter(({ event }) => event !== 'audio')
    const first = synthesis(160)
    for (let lostAfter = 1; lostAfter < first.length - 1; lostAfter++) {
      const timeline = createSpeechTimeline()
      const placed = placeAll(timeline, first.slice(0, lostAfter))
      placed.push(...placeAll(timeline, synthesis(96)))
      expect(bytesOf(placed)).toEqual(Buffer.concat([header, samples]))
      expect(withoutAudio(placed)).toEqual(withoutAudio(first))
      let clockMs = 0
      for (const chunk of placed) {
        if (chunk.event !== 'audio') continue
        expect(chunk.start_ms).toBe(clockMs)
        clockMs += chunk.duration_ms
      }
      expect(clockMs).toBe(100)
    }
  },
)

test('the audio of a synthesis begins with the pause after the last segment of the one before it, once', () => {
  const timeline = createSpeechTimeline()
  const [one, two] = cutText(text, [9]) as [string, string]
  placeAll(timeline, chunksOf(one, [4], 300))
  const first = placeAll(timeline, chunksOf(two, [], 300).slice(0, -1)).find(({ event }) => event === 'audio')
  const { bytes } = silentAudio({ format: 'pcm_s16le', sample_rate: 8000 }, 300)!
  expect(first).toMatchObject({ start_ms: 9 * msPerCharacter, duration_ms: 300 + 4 * msPerCharacter, segment: 2 })
  expect((first as { data: Uint8Array }).data.subarray(0, bytes.length)).toEqual(Buffer.from(bytes))
  const next = placeAll(timeline, chunksOf('Go on.')).find(({ event }) => event === 'audio')
  expect(next).toMatchObject({ duration_ms: 4 * msPerCharacter })
})

test('a continued WAV has one header', () => {
  const output: AudioOutput = { format: 'wav', sample_rate: 8000, bit_rate: null }
  const timeline = createSpeechTimeline()
  const file = Buffer.concat([Buffer.alloc(44, 'header'), Buffer.from('samples')])
  const audio = { event: 'audio' as const, seq: 0, segment: 0, start_ms: 0, duration_ms: 10, data: file }
  const started = { event: 'started' as const, output, queue_ms: 0, ttfa_ms: 0 }
  timeline.place(started)
  timeline.place(audio)
  timeline.place({ event: 'segment', segment: 0, characters: 1 })
  timeline.place(started)
  expect(String((timeline.place(audio) as { data: Uint8Array }).data)).toBe(String(Buffer.from('samples')))
  const later = { ...audio, start_ms: 10 }
  expect(String((timeline.place(later) as { data: Uint8Array }).data)).toBe(String(file))
})
