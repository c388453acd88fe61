import { type AudioBlock, BrokenAudioError, monoPcm, openWav } from '../../src/transcription/audio-file.js'

interface WavOptions {
  readonly encoding: number
  readonly bits: number
  readonly channels?: number
  /** Of all channels in turn. */
  readonly samples: readonly number[]
  readonly write: (data: DataView, at: number, sample: number) => void
}

/** A WAV file at 8 kHz with a chunk between its format and its samples. */
const wavOf = ({ encoding, bits, channels = 1, samples, write }: WavOptions): Uint8Array => {
  const sampleBytes = bits / 8
  const format = Buffer.alloc(16)
  format.writeUInt16LE(encoding, 0)
  format.writeUInt16LE(channels, 2)
  format.writeUInt32LE(8_000, 4)
  format.writeUInt16LE(bits, 14)
  const data = Buffer.alloc(samples.length * sampleBytes)
  const view = new DataView(data.buffer, data.byteOffset, data.length)
  for (const [index, sample] of samples.entries()) write(view, index * sampleBytes, sample)
  const chunk = (tag: string, bytes: Uint8Array) => {
    const size = Buffer.alloc(4)
    size.writeUInt32LE(bytes.length)
    return Buffer.concat([Buffer.from(tag), size, bytes])
  }
  const chunks = [chunk('fmt ', format), chunk('LIST', Buffer.from('ab')), chunk('data', data)]
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), ...chunks])
}

const decode = (file: Uint8Array) =>
  [...(openWav(file).blocks as Iterable<AudioBlock>)].flatMap((block) => [...monoPcm(block)])

test.each<[string, WavOptions]>([
  ['8 bits', { encoding: 1, bits: 8, samples: [0, 128, 192], write: (data, at, sample) => data.setUint8(at, sample) }],
  [
    '16 bits',
    {
      encoding: 1,
      bits: 16,
      samples: [-32_768, 0, 16_384],
      write: (data, at, sample) => data.setInt16(at, sample, true),
    },
  ],
  [
    '24 bits',
    {
      encoding: 1,
      bits: 24,
      samples: [-8_388_608, 0, 4_194_304],
      write(data, at, sample) {
        data.setUint16(at, sample & 0xffff, true)
        data.setInt8(at + 2, sample >> 16)
      },
    },
  ],
  [
    '32 bits',
    {
      encoding: 1,
      bits: 32,
      samples: [-(2 ** 31), 0, 2 ** 30],
      write: (data, at, sample) => data.setInt32(at, sample, true),
    },
  ],
  [
    'floats',
    { encoding: 3, bits: 32, samples: [-1, 0, 0.5], write: (data, at, sample) => data.setFloat32(at, sample, true) },
  ],
  [
    'doubles',
    { encoding: 3, bits: 64, samples: [-1, 0, 0.5], write: (data, at, sample) => data.setFloat64(at, sample, true) },
  ],
])('samples of %s have their values, behind any other chunk', (_kind, options) => {
  expect(decode(wavOf(options))).toEqual([-32_768, 0, 16_384])
})

test('samples of µ-law and A-law have their values', () => {
  const write = (data: DataView, at: number, sample: number) => data.setUint8(at, sample)
  expect(decode(wavOf({ encoding: 7, bits: 8, samples: [0xff, 0x80, 0x00], write }))).toEqual([0, 32_124, -32_124])
  expect(decode(wavOf({ encoding: 6, bits: 8, samples: [0xd5, 0xaa, 0x2a], write }))).toEqual([8, 32_256, -32_256])
})

test('several channels are mixed to their mean', () => {
  const write = (data: DataView, at: number, sample: number) => data.setInt16(at, sample, true)
  expect(decode(wavOf({ encoding: 1, bits: 16, channels: 2, samples: [100, 300, -100, 100], write }))).toEqual([200, 0])
})

test.each([
  ['an encoding that is not known', { encoding: 85, bits: 16 }],
  ['no channel', { encoding: 1, bits: 16, channels: 0 }],
])('a file with %s is refused', (_what, options) => {
  const file = wavOf({ ...options, samples: [1], write: () => {} })
  expect(() => decode(file)).toThrow(BrokenAudioError)
})
