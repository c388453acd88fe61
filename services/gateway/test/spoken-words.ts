import type { SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import { cutText } from '@parlance/speech'
import type { createFakeReserver } from './fake-reserver.js'

/** Each word is a tenth of a second of audio, whose bytes are the word. */
export const chunksOf = ({ text, cuts, output }: SynthesisRequest): SynthesisChunk[] => {
  const chunks: SynthesisChunk[] = [{ event: 'started', output, queue_ms: 0, ttfa_ms: 1 }]
  let seq = 0
  for (const [segment, spokenText] of cutText(text, cuts ?? []).entries()) {
    const words = spokenText
      .trim()
      .split(/\s+/)
      .map((word) => ({ text: word, start_ms: seq * 100, end_ms: ++seq * 100 }))
    for (const { text: word, start_ms } of words) {
      const data = Buffer.from(`${word} `)
      chunks.push({ event: 'audio', seq: start_ms / 100, segment, start_ms, duration_ms: 100, data })
    }
    chunks.push({ event: 'alignment', segment, words, phonemes: [], visemes: [] })
    chunks.push({ event: 'segment', segment, characters: [...spokenText].length })
  }
  const characters_billed = [...text].length
  return [...chunks, { event: 'done', audio_duration_ms: seq * 100, characters_billed, ttfa_ms: 1 }]
}
export const spoken = async function* (request: SynthesisRequest) {
  yield* chunksOf(request)
}

/** The paid code points, once every reservation has ended. Each ends once. */
export const charactersPaid = async ({ holds }: ReturnType<typeof createFakeReserver>): Promise<number> => {
  while (holds.some(({ endings }) => endings.length === 0)) await new Promise(setImmediate)
  expect(holds.every(({ endings }) => endings.length === 1)).toBe(true)
  const characters = ([ending]: (typeof holds)[number]['endings']) =>
    ending === undefined || ending === 'released' ? 0 : ending.usage.quantities.tts_characters!
  return holds.reduce((sum, { endings }) => sum + characters(endings), 0)
}
