/** Finds where the frames of an MP3 stream of layer III lie, as its bytes come. */
export interface Mp3FrameWalk {
  add(bytes: Uint8Array): void
  /** The number of bytes that the last frame still lacks. */
  missingBytes(): number
}

const headerBytes = 4
/** In kbit/s, by the index in the header: of MPEG 1, and of MPEG 2 and 2.5. */
const bitRates = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const
const mpeg1SampleRatesHz = [44_100, 48_000, 32_000] as const

/** The length of the frame with this header, which begins with its synchronization word. */
const frameBytes = (header: Uint8Array): number => {
  const [, version = 0, rates = 0] = header
  const isMpeg1 = (version & 0x18) === 0x18
  const isMpeg25 = (version & 0x18) === 0
  const bitRate = bitRates[isMpeg1 ? 'mpeg1' : 'mpeg2'][rates >> 4] ?? 0
  const divisor = isMpeg1 ? 1 : isMpeg25 ? 4 : 2
  const sampleRateHz = (mpeg1SampleRatesHz[(rates >> 2) & 3] ?? 0) / divisor
  const padding = (rates >> 1) & 1
  return Math.floor(((isMpeg1 ? 144 : 72) * bitRate * 1000) / sampleRateHz) + padding
}

export const createMp3FrameWalk = (): Mp3FrameWalk => {
  const header = new Uint8Array(headerBytes)
  let headerFill = 0
  /** The bytes of the current frame after its header. */
  let bodyBytesLeft = 0

  return {
    add(bytes) {
      for (let at = 0; at < bytes.length; ) {
        if (bodyBytesLeft > 0) {
          const body = Math.min(bodyBytesLeft, bytes.length - at)
          bodyBytesLeft -= body
          at += body
          continue
        }
        header[headerFill] = bytes[at]!
        headerFill += 1
        at += 1
        if (headerFill < headerBytes) continue
        headerFill = 0
        bodyBytesLeft = frameBytes(header) - headerBytes
      }
    },
    missingBytes: () => bodyBytesLeft,
  }
}
