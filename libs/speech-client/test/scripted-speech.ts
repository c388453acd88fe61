import type { SynthesisChunk, SynthesisRequest } from '@parlance/contracts'

export const workspaceId = '5f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'
export const voiceId = '9f2c4c1e0b7d4a3f8e6d5c4b3a291807'

/** The lane in which it is spoken. */
export const lane = 'fake'

/** A speech of one segment and one frame. */
export const spoken = async function* ({ output, text }: SynthesisRequest): AsyncGenerator<SynthesisChunk> {
  const characters = [...text].length
  yield { event: 'started', output, queue_ms: 0, ttfa_ms: 1 }
  yield { event: 'audio', seq: 0, segment: 0, start_ms: 0, duration_ms: 40, data: new Uint8Array([1, 2, 3]) }
  yield { event: 'segment', segment: 0, characters }
  yield { event: 'done', audio_duration_ms: 40, characters_billed: characters, ttfa_ms: 1 }
}
