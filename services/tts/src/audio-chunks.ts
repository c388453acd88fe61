import type { AudioEncoder } from '@parlance/audio/encoding'

/** The maximum audio in a bus message: as much as an engine writes at once, at a somewhat higher rate. */
export const maxChunkBytes = 64 * 1024

/** The first chunk is sent with the first available bytes; each later one has twice the audio, up to this. */
const smallestMs = 60
const largestMs = 480

export interface AudioChunk {
  readonly start_ms: number
  readonly duration_ms: number
  readonly data: Uint8Array
}

/**
 * Encodes samples and divides the output into chunks: short ones first, so that sound starts at once, longer ones later,
 * because every message costs the same. Their durations add up to that of the audio, without a gap.
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
    // Chunks of equal length, since a small remainder costs as much as any other; and whole samples, where the format has samples.
    const chunkBytes = 2 * Math.ceil(all.length / Math.ceil(all.length / maxChunkBytes) / 2)
    for (let at = 0; at < all.length; at += chunkBytes) {
      const data = all.subarray(at, at + chunkBytes)
      const duration_ms = (durationMs * data.length) / all.length
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
  const encode = (pcm: Int16Array | undefined) => {
    if (pcm === undefined) return
    push(encoder.encode(pcm))
    samples += pcm.length
  }
  const rest = () => (pendingBytes > 0 ? cut() : [])

  return {
    positionMs,
    /** Chunks that are due after these samples; often none. */
    add(pcm: Int16Array): AudioChunk[] {
      encode(pcm)
      return positionMs() - emittedMs >= wantedMs || pendingBytes >= maxChunkBytes ? rest() : []
    },
    /** The output that is ready after these samples, if any, whatever its length: no more samples follow for some time. */
    flush(pcm?: Int16Array): AudioChunk[] {
      encode(pcm)
      return rest()
    },
    /** The rest of the audio, of which these samples, if any, are the last. Once. */
    finish(pcm?: Int16Array): AudioChunk[] {
      encode(pcm)
      push(encoder.finish())
      return rest()
    },
  }
}
