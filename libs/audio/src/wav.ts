/**
 * WAV with one channel of 16-bit PCM. The header has 44 bytes and contains two sizes: the RIFF size (all but the first eight
 * bytes) and the data size. In a stream of unknown length both are 0xFFFFFFFF, which players take as "until the end".
 */

export const wavHeaderBytes = 44
const unknownSize = 0xffffffff

/**
 * The header of a WAV file of mono s16 PCM: 44 bytes. `dataBytes` is the length of the samples in bytes; undefined for
 * a stream, whose length is not known yet.
 */
export const wavHeader = (options: { sampleRateHz: number; dataBytes: number | undefined }): Uint8Array => {
  const { sampleRateHz, dataBytes } = options
  const header = new Uint8Array(wavHeaderBytes)
  const view = new DataView(header.buffer)
  writeTag(header, 0, 'RIFF')
  view.setUint32(4, dataBytes === undefined ? unknownSize : dataBytes + wavHeaderBytes - 8, true)
  writeTag(header, 8, 'WAVEfmt ')
  view.setUint32(16, 16, true) // length of the format chunk
  view.setUint16(20, 1, true) // linear PCM
  view.setUint16(22, 1, true) // one channel
  view.setUint32(24, sampleRateHz, true)
  view.setUint32(28, sampleRateHz * 2, true) // bytes per second
  view.setUint16(32, 2, true) // bytes per sample
  view.setUint16(34, 16, true) // bits per sample
  writeTag(header, 36, 'data')
  view.setUint32(40, dataBytes ?? unknownSize, true)
  return header
}

interface Wav {
  sampleRateHz: number
  /** Little-endian samples: a view of the bytes that were parsed. */
  data: Uint8Array
}

/**
 * Finds the sample rate and the samples in a whole WAV file. Unknown chunks are skipped, and a size beyond the end means up to the
 * end. Throws for anything but one channel of 16-bit PCM.
 */
export const parseWav = (bytes: Uint8Array): Wav => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 12 || tagAt(bytes, 0) !== 'RIFF' || tagAt(bytes, 8) !== 'WAVE') throw new Error('Not a WAV file')

  let sampleRateHz: number | undefined
  for (let at = 12; at + 8 <= bytes.length; ) {
    const tag = tagAt(bytes, at)
    const start = at + 8
    const end = Math.min(start + view.getUint32(at + 4, true), bytes.length)
    if (tag === 'fmt ') {
      if (end - start < 16) throw new Error('A WAV file with a format chunk that is cut short')
      const encoding = view.getUint16(start, true)
      const channels = view.getUint16(start + 2, true)
      const bits = view.getUint16(start + 14, true)
      if (encoding !== 1 || channels !== 1 || bits !== 16) {
        throw new Error(`Not 16-bit mono PCM but encoding ${encoding}, ${channels} channels, ${bits} bits`)
      }
      sampleRateHz = view.getUint32(start + 4, true)
    } else if (tag === 'data') {
      if (sampleRateHz === undefined) throw new Error('A WAV file with data before its format')
      return { sampleRateHz, data: bytes.subarray(start, end - ((end - start) % 2)) }
    }
    at = end + ((end - start) % 2) // chunks start at even offsets
  }
  throw new Error('A WAV file without data')
}

/**
 * The bytes of a WAV stream as a file with its true sizes in the header, to store it. Throws `Error` as `parseWav` does.
 */
export const withTrueWavSizes = (bytes: Uint8Array): Uint8Array => {
  const { sampleRateHz, data } = parseWav(bytes)
  const file = new Uint8Array(wavHeaderBytes + data.length)
  file.set(wavHeader({ sampleRateHz, dataBytes: data.length }))
  file.set(data, wavHeaderBytes)
  return file
}

const writeTag = (bytes: Uint8Array, at: number, tag: string): void => {
  for (let i = 0; i < tag.length; i++) bytes[at + i] = tag.charCodeAt(i)
}

const tagAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4))
