import { resolveOutput } from '@parlance/audio'
import type { AudioOutput } from '@parlance/contracts'
import { audioFormats, sampleRatesHz } from '@parlance/contracts'
import { createAudioEncoder } from '../../src/encoding/index.js'

/** Every format at each of its sample rates, with its default bit rate. */
export const everyOutput: AudioOutput[] = audioFormats.flatMap((format) =>
  sampleRatesHz[format].map((sample_rate) => resolveOutput({ format, sample_rate })),
)

export const describeOutput = (output: AudioOutput): string => `${output.format} at ${output.sample_rate} Hz`

/** A whole file, encoded in chunks of the given sizes, in samples; the last size repeats. */
export const encode = async (
  output: AudioOutput,
  inputSampleRateHz: number,
  pcm: Int16Array,
  chunkSamples: readonly number[] = [441],
): Promise<Uint8Array> => {
  const encoder = await createAudioEncoder({ output, inputSampleRateHz })
  const parts: Uint8Array[] = []
  for (let at = 0, chunk = 0; at < pcm.length; chunk++) {
    const size = chunkSamples[Math.min(chunk, chunkSamples.length - 1)]!
    parts.push(encoder.encode(pcm.subarray(at, at + size)))
    at += size
  }
  parts.push(encoder.finish())
  return Uint8Array.from(Buffer.concat(parts))
}
