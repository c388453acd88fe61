import type { AudioOutput } from '@parlance/contracts'
import { msToSamples, samplesToMs } from './pcm.js'

/** A sample of silence in the formats whose audio may be put together from pieces, and how many bytes it has. */
const silentSample: Partial<Record<AudioOutput['format'], { byte: number; bytes: number }>> = {
  pcm_s16le: { byte: 0, bytes: 2 },
  ulaw: { byte: 0xff, bytes: 1 },
  alaw: { byte: 0xd5, bytes: 1 },
}

export interface SilentAudio {
  readonly bytes: Uint8Array
  /** Of a whole number of samples, which is the nearest there is to what was asked for. */
  readonly durationMs: number
}

/** Silence to put between two pieces of audio in the format of `output`; undefined for formats that cannot be put together. */
export const silentAudio = (
  { format, sample_rate }: Pick<AudioOutput, 'format' | 'sample_rate'>,
  wantedMs: number,
): SilentAudio | undefined => {
  const sample = silentSample[format]
  if (sample === undefined) return undefined
  const samples = msToSamples(wantedMs, sample_rate)
  const bytes = new Uint8Array(samples * sample.bytes).fill(sample.byte)
  return { bytes, durationMs: samplesToMs(samples, sample_rate) }
}
