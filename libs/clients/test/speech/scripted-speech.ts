import type { SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import { cutText } from '@parlance/speech'

export const workspaceId = '5f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'
export const voiceId = '9f2c4c1e0b7d4a3f8e6d5c4b3a291807'

/** The lane in which it is spoken. */
export const lane = 'fake'

/** A speech with one frame for each segment, which contains its text. */
export const spoken = async function* ({ output, text, cuts }: SynthesisRequest): AsyncGenerator<SynthesisChunk> {
  const segments = cutText(text, cuts ?? [])
  yield { event: 'started', output, queue_ms: 0, ttfa_ms: 1 }
  for (const [segment, part] of segments.entries()) {
    const data = new TextEncoder().encode(part)
    yield { event: 'audio', seq: segment, segment, start_ms: segment * 40, duration_ms: 40, data }
    yield { event: 'segment', segment, characters: [...part].length }
  }
  yield {
    event: 'done',
    audio_duration_ms: segments.length * 40,
    characters_billed: [...text].length,
    ttfa_ms: 1,
  }
}

/** The chunks without the times that are measured. */
export const withoutMeasuredTimes = (chunks: readonly SynthesisChunk[]): SynthesisChunk[] =>
  chunks.map((chunk) => {
    if (chunk.event === 'started') return { ...chunk, queue_ms: 0, ttfa_ms: 0 }
    return chunk.event === 'done' ? { ...chunk, ttfa_ms: 0 } : chunk
  })
