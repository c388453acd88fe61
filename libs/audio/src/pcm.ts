/** Mono linear PCM: samples as `Int16Array`, bytes as little-endian `Uint8Array`. */
import g711 from 'alawmulaw'

const hostIsLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/** Copies samples to little-endian bytes. */
export const pcmToBytes = (pcm: Int16Array): Uint8Array => {
  const bytes = viewOf(pcm).slice()
  return hostIsLittleEndian ? bytes : swapBytePairs(bytes)
}

/** The samples as little-endian bytes, which share the memory of `pcm` on little-endian machines. */
export const pcmAsBytes = (pcm: Int16Array): Uint8Array => (hostIsLittleEndian ? viewOf(pcm) : pcmToBytes(pcm))

const viewOf = (pcm: Int16Array) => new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength)

/** Copies little-endian bytes to samples. Throws `RangeError` when the number of bytes is odd. */
export const pcmFromBytes = (bytes: Uint8Array): Int16Array => {
  if (bytes.length % 2 !== 0) throw new RangeError(`16-bit PCM cannot have an odd number of bytes (${bytes.length})`)
  // Copied first, since an Int16Array needs an even offset. `slice` of a Node.js `Buffer` would not copy.
  const own = new Uint8Array(bytes)
  return new Int16Array((hostIsLittleEndian ? own : swapBytePairs(own)).buffer)
}

const swapBytePairs = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  for (let at = 0; at < bytes.length; at += 2) bytes.subarray(at, at + 2).reverse()
  return bytes
}

/** Multiplies the samples by `gain`, rounds them, and saturates them to 16 bits. */
export const applyGain = (pcm: Int16Array, gain: number): Int16Array =>
  gain === 1 ? pcm.slice() : pcm.map((sample) => Math.max(-32768, Math.min(32767, Math.round(sample * gain))))

/** The duration of this number of mono samples, in ms. */
export const samplesToMs = (samples: number, sampleRateHz: number): number => (samples * 1000) / sampleRateHz

/** The whole number of samples nearest to a duration in ms. */
export const msToSamples = (durationMs: number, sampleRateHz: number): number =>
  Math.round((durationMs * sampleRateHz) / 1000)

/** Concatenates the samples of all parts in new memory. */
export const concatPcm = (parts: readonly Int16Array[]): Int16Array => copyInto(new Int16Array(lengthOf(parts)), parts)

/** Concatenates the bytes of all parts in new memory. */
export const concatBytes = (parts: readonly Uint8Array[]): Uint8Array =>
  copyInto(new Uint8Array(lengthOf(parts)), parts)

const lengthOf = (parts: readonly { readonly length: number }[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0)

const copyInto = <Whole extends Int16Array | Uint8Array>(whole: Whole, parts: readonly Whole[]): Whole => {
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Encodes mono s16 PCM, usually at 8 kHz, as G.711 µ-law: one byte for each sample. */
export const pcmToUlaw = (pcm: Int16Array): Uint8Array => g711.mulaw.encode(pcm)
/** Decodes G.711 µ-law bytes, one for each sample, to mono s16 PCM. */
export const ulawToPcm = (bytes: Uint8Array): Int16Array => g711.mulaw.decode(bytes)
/** Encodes mono s16 PCM, usually at 8 kHz, as G.711 A-law: one byte for each sample. */
export const pcmToAlaw = (pcm: Int16Array): Uint8Array => g711.alaw.encode(pcm)
/** Decodes G.711 A-law bytes, one for each sample, to mono s16 PCM. */
export const alawToPcm = (bytes: Uint8Array): Int16Array => g711.alaw.decode(bytes)
