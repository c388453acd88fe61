import type { Heard } from './engine-scene.js'

/** What every utterance promises of its marks: verbatim words, in order, and times that go forward within the audio. */
export const expectSoundMarks = (text: string, { words, phonemes, audioMs }: Heard): void => {
  let clockMs = 0
  let offset = 0
  for (const word of words) {
    expect(text.slice(word.textStart, word.textEnd)).toBe(word.text)
    expect(word.textStart).toBeGreaterThanOrEqual(offset)
    expect(word.startMs).toBeGreaterThanOrEqual(clockMs)
    expect(word.endMs).toBeGreaterThanOrEqual(word.startMs)
    clockMs = word.endMs
    offset = word.textEnd
  }
  expect(clockMs).toBeLessThanOrEqual(audioMs)
  clockMs = 0
  for (const { ipa, startMs, endMs } of phonemes) {
    expect(ipa).not.toBe('')
    expect(startMs).toBeGreaterThanOrEqual(clockMs)
    expect(endMs).toBeGreaterThanOrEqual(startMs)
    clockMs = endMs
  }
  expect(clockMs).toBeLessThanOrEqual(audioMs)
}

export const phonemesOf = ({ phonemes }: Heard): string => phonemes.map(({ ipa }) => ipa).join(' ')
