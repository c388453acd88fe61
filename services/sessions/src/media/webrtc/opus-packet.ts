/** RTP's clock for Opus, whatever rate it was made from or is decoded at (RFC 7587). */
export const opusClockHz = 48_000

const longestSamples = 0.12 * opusClockHz

/** How much audio a packet holds, in samples at 48 kHz, by its first bytes (RFC 6716, 3.1); undefined when it is none. */
export const opusPacketSamples = (packet: Uint8Array): number | undefined => {
  const [toc, count] = packet
  if (toc === undefined) return undefined
  const frames = framesOf(toc & 3, count)
  if (frames === undefined) return undefined
  const samples = frames * samplesAFrame(toc >> 3)
  return samples > 0 && samples <= longestSamples ? samples : undefined
}

const framesOf = (code: number, count: number | undefined): number | undefined => {
  if (code === 0) return 1
  if (code === 3) return count === undefined ? undefined : count & 0x3f
  return 2
}

/** The first twelve configurations are SILK's, the next four are hybrid, the rest are CELT's. */
const samplesAFrame = (configuration: number): number => {
  if (configuration < 12) return [480, 960, 1920, 2880][configuration % 4] as number
  if (configuration < 16) return [480, 960][configuration % 2] as number
  return [120, 240, 480, 960][configuration % 4] as number
}
