import type { AudioEncoder } from '@parlance/encoding'

/** Bus messages carry at most this much audio each. */
export const maxChunkBytes = 32 * 1024

/** The first chunk leaves with the first bytes there are; each later one holds twice the audio, up to this. */
const smallestMs = 60
const largestMs = 480

export interface AudioChunk {
  readonly start_ms: number
  readonly duration_ms: number
  readonly data: Uint8Array
}

/**
 * Encodes samples and cuts what comes out into chunks: short ones first, so that sound starts at once, longer ones later,
 * because every message costs the same. Their times add up to the audio's, without a gap.
 */
export const createAudioChunker = (encoder: AudioEncoder, sampleRateHz: number) => {
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  let samples = 0
  let emittedMs = 0
  let wantedMs = 0

  const positionMs = () => (samples * 1000) / sampleRateHz

  const cut = (): AudioChunk[] => {
    const all = pending.length === 1 ? pending[0]! : Buffer.concat(pending)
    const durationMs = positionMs() - emittedMs
    const chunks: AudioChunk[] = []
    const count = Math.max(1, Math.ceil(all.length / maxChunkBytes))
    for (let i = 0; i < count; i++) {
      const data = all.subarray(i * maxChunkBytes, (i + 1) * maxChunkBytes)
      const duration_ms = all.length === 0 ? durationMs : (durationMs * data.length) / all.length
      chunks.push({ start_ms: emittedMs, duration_ms, data })
      emittedMs += duration_ms
    }
    pending = []
    pendingBytes = 0
    wantedMs = Math.min(largestMs, Math.max(smallestMs, wantedMs * 2))
    return chunks
  }

  const push = (bytes: Uint8Array) => {
    if (bytes.length === 0) return
    pending.push(bytes)
    pendingBytes += bytes.length
  }

  return {
    positionMs,
    /** Chunks that are due after these samples; often none. */
    add(pcm: Int16Array): AudioChunk[] {
      push(encoder.encode(pcm))
      samples += pcm.length
      const due = pendingBytes > 0 && (positionMs() - emittedMs >= wantedMs || pendingBytes >= maxChunkBytes)
      return due ? cut() : []
    },
    /** What is ready so far, whatever its length: nothing more comes for a while. */
    flush: (): AudioChunk[] => (pendingBytes > 0 ? cut() : []),
    /** The rest of the audio. */
    finish(): AudioChunk[] {
      push(encoder.finish())
      return pendingBytes > 0 ? cut() : []
    },
  }
}
