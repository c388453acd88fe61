/** A part of decoded audio: a sequence of samples for each channel, all of one length, from -1 to 1. */
export interface AudioBlock {
  readonly sampleRateHz: number
  readonly channels: readonly Float32Array[]
}

/** A file whose format is known. */
export interface OpenAudio {
  /** The length that its header states, or less when that is an estimate. The actual length may differ. */
  readonly atLeastMs: number
  readonly blocks: Iterable<AudioBlock> | AsyncIterable<AudioBlock>
}

/** A file of a known kind that cannot be decoded. The message is for the client. */
export class BrokenAudioError extends Error {
  override readonly name = 'BrokenAudioError'
}

/** The mean of the channels as 16-bit PCM. */
export const monoPcm = ({ channels }: AudioBlock): Int16Array => {
  const [first = new Float32Array(0), ...others] = channels
  const pcm = new Int16Array(first.length)
  for (let at = 0; at < first.length; at++) {
    let sum = first[at]!
    for (const channel of others) sum += channel[at]!
    const sample = Math.round((sum / channels.length) * 32_768)
    pcm[at] = Math.max(-32_768, Math.min(32_767, sample))
  }
  return pcm
}
