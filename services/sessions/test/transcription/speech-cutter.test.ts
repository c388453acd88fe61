import { type CutUtterance, createSpeechCutter } from '../../src/transcription/speech-cutter.js'

const samplesPerMs = 16

/** Cuts audio in which every other part is a voice, by a detector that takes samples other than zero for a voice. */
const cut = (partsMs: readonly number[], chunkSamples = 1_000): CutUtterance[] => {
  const utterances: CutUtterance[] = []
  const detect = (frame: Int16Array) => frame.some((sample) => sample !== 0)
  const detector = { detect, changedAgoMs: () => 0, reset() {} }
  const cutter = createSpeechCutter(detector, (utterance) => utterances.push(utterance))
  const audio = partsMs.flatMap((ms, part) => new Array<number>(ms * samplesPerMs).fill(part % 2))
  const samples = Int16Array.from(audio)
  for (let at = 0; at < samples.length; at += chunkSamples) cutter.push(samples.subarray(at, at + chunkSamples))
  cutter.finish()
  return utterances
}

const timesOf = (utterances: readonly CutUtterance[]) => utterances.map(({ startMs, endMs }) => [startMs, endMs])

test('an utterance begins and ends with a margin of silence, whatever parts the audio comes in', () => {
  for (const chunkSamples of [7, 320, 100_000]) {
    expect(timesOf(cut([1_000, 2_000, 1_000], chunkSamples))).toEqual([[700, 3_300]])
  }
})

test('a short pause belongs to an utterance, and a long pause separates two', () => {
  expect(timesOf(cut([0, 2_000, 500, 2_000, 2_000, 2_000]))).toEqual([
    [0, 4_800],
    [6_200, 8_500],
  ])
})

test('a short pause ends a long utterance, and no audio is lost or repeated', () => {
  const utterances = cut([0, 9_000, 240, 3_000, 1_000])
  expect(utterances).toHaveLength(2)
  expect(utterances[1]!.startMs).toBeGreaterThanOrEqual(utterances[0]!.endMs)
  const voiced = utterances.flatMap(({ samples }) => [...samples]).filter((sample) => sample !== 0)
  expect(voiced).toHaveLength(12_000 * samplesPerMs)
})

test('a voice without a pause is cut every fifteen seconds', () => {
  expect(timesOf(cut([0, 40_000]))).toEqual([
    [0, 15_000],
    [15_000, 30_000],
    [30_000, 40_000],
  ])
})

test('there is no utterance in silence', () => {
  expect(cut([10_000])).toEqual([])
})
