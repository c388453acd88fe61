import type { AudioOutput } from '@parlance/contracts'
import { msToSamples, samplesToMs } from './pcm.js'

/** A sample of silence and its bytes, for the formats whose pieces can be concatenated. */
const silentSample: Partial<Record<AudioOutput['format'], { byte: number; bytes: number }>> = {
  pcm_s16le: { byte: 0, bytes: 2 },
  ulaw: { byte: 0xff, bytes: 1 },
  alaw: { byte: 0xd5, bytes: 1 },
}

export interface SilentAudio {
  readonly bytes: Uint8Array
  /** The duration of a whole number of samples, nearest to the wanted duration. */
  readonly durationMs: number
}

/** Silence of `wantedMs` in the format of `output`. Undefined for formats whose pieces cannot be concatenated. */
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
