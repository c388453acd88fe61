/** The RTP clock of Opus, which does not depend on the sample rates of encoder and decoder (RFC 7587). */
export const opusClockHz = 48_000

const maxSamples = 0.12 * opusClockHz

/** The duration of a packet in samples at 48 kHz, from its first bytes (RFC 6716, 3.1). Undefined when it is not Opus. */
export const opusPacketSamples = (packet: Uint8Array): number | undefined => {
  const [toc, count] = packet
  if (toc === undefined) return undefined
  const frames = framesOf(toc & 3, count)
  if (frames === undefined) return undefined
  const samples = frames * samplesPerFrame(toc >> 3)
  return samples > 0 && samples <= maxSamples ? samples : undefined
}

const framesOf = (code: number, count: number | undefined): number | undefined => {
  if (code === 0) return 1
  if (code === 3) return count === undefined ? undefined : count & 0x3f
  return 2
}

/** The first twelve configurations are SILK, the next four hybrid, the others CELT. */
const samplesPerFrame = (configuration: number): number => {
  if (configuration < 12) return [480, 960, 1920, 2880][configuration % 4] as number
  if (configuration < 16) return [480, 960][configuration % 2] as number
  return [120, 240, 480, 960][configuration % 4] as number
}
