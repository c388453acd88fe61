import { RemoteFailure } from './remote-failure.js'

/**
 * Decodes Base64 strictly: Node ignores invalid characters and incomplete groups, which would be lost samples. Throws
 * `RemoteFailure`.
 */
export const bytesOfBase64 = (text: string): Uint8Array => {
  const bytes = Buffer.from(text, 'base64')
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (bytes.length !== (text.length / 4) * 3 - padding) {
    throw new RemoteFailure('broken', 'audio that is not Base64')
  }
  return bytes
}

export interface PcmDecoder {
  /** Returns the samples that are complete now, possibly none. `bytes` is not retained. */
  decode(bytes: Uint8Array): Int16Array
  /** Throws a `RemoteFailure` when half a sample is left. */
  end(): void
}

/** Decodes little-endian 16-bit samples from a stream of bytes. */
export const createPcmDecoder = (): PcmDecoder => {
  let half: number | undefined

  return {
    decode(bytes) {
      const carried = half === undefined ? 0 : 1
      const samples = (bytes.length + carried) >> 1
      const whole = new Uint8Array(samples * 2)
      const rest = bytes.length + carried - whole.length
      if (half !== undefined && samples > 0) whole[0] = half
      if (samples > 0) whole.set(bytes.subarray(0, bytes.length - rest), carried)
      if (rest === 0) half = undefined
      else if (bytes.length > 0) half = bytes.at(-1)
      return new Int16Array(whole.buffer)
    },
    end() {
      if (half !== undefined) throw new RemoteFailure('broken', 'the audio ends within a sample')
    },
  }
}

/** Servers that do not know the length yet write a size of at least this. */
const smallestUnknownBytes = 0x7fff_0000
const maxHeaderBytes = 64 * 1024
const maxTrailingBytes = 64 * 1024
const formatBytes = 16
const extensible = 0xfffe

const broken = (message: string) => new RemoteFailure('broken', message)

/** Decodes a stream of WAV. Throws a `RemoteFailure` for anything but 16-bit mono PCM at this rate. */
export const createWavDecoder = (sampleRateHz: number): PcmDecoder => {
  const pcm = createPcmDecoder()
  let header: Buffer | undefined = Buffer.alloc(0)
  /** The rest of the data chunk. */
  let leftBytes = 0
  /** Bytes of the chunks after it, which are ignored. */
  let trailingBytes = 0

  const checkFormat = (format: Buffer) => {
    const encoding = format.readUInt16LE(0)
    const channels = format.readUInt16LE(2)
    const rateHz = format.readUInt32LE(4)
    const bits = format.readUInt16LE(14)
    if ((encoding !== 1 && encoding !== extensible) || channels !== 1 || bits !== 16) {
      throw broken(`not 16-bit mono PCM but encoding ${encoding}, ${channels} channels, ${bits} bits`)
    }
    if (rateHz !== sampleRateHz) throw broken(`audio at ${rateHz} Hz where ${sampleRateHz} Hz were expected`)
  }

  /** Returns the offset of the samples; undefined while the header is incomplete. */
  const dataStart = (bytes: Buffer): number | undefined => {
    if (bytes.length < 12) return undefined
    if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') {
      throw broken('the answer is not a WAV')
    }
    let known = false
    for (let at = 12; at + 8 <= bytes.length; ) {
      const tag = bytes.toString('latin1', at, at + 4)
      const size = bytes.readUInt32LE(at + 4)
      const start = at + 8
      if (tag === 'data') {
        if (!known) throw broken('a WAV with data before its format')
        leftBytes = size === 0 || size >= smallestUnknownBytes ? Number.POSITIVE_INFINITY : size
        return start
      }
      if (tag === 'fmt ') {
        if (size < formatBytes) throw broken('a WAV with a format chunk that is cut short')
        if (start + formatBytes > bytes.length) return undefined
        checkFormat(bytes.subarray(start))
        known = true
      }
      at = start + size + (size % 2)
    }
    return undefined
  }

  return {
    decode(bytes) {
      let data: Uint8Array = bytes
      if (header !== undefined) {
        header = Buffer.concat([header, bytes])
        const start = dataStart(header)
        if (start === undefined) {
          if (header.length > maxHeaderBytes) throw broken('a WAV whose header has no end')
          return new Int16Array(0)
        }
        data = header.subarray(start)
        header = undefined
      }
      const wanted = data.subarray(0, Math.min(data.length, leftBytes))
      leftBytes -= wanted.length
      trailingBytes += data.length - wanted.length
      if (trailingBytes > maxTrailingBytes) throw broken('data after the end of the WAV')
      return pcm.decode(wanted)
    },
    end() {
      if (header !== undefined) throw broken('the WAV ends within its header')
      if (Number.isFinite(leftBytes) && leftBytes > 0) throw broken('the WAV is truncated')
      pcm.end()
    },
  }
}
