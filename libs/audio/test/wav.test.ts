import fc from 'fast-check'
import { parseWav, pcmToBytes, wavHeader, withTrueWavSizes } from '../src/index.js'

const join = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts))
const samples = pcmToBytes(Int16Array.of(1, 2, 3))

test('a header is the 44 bytes of the canonical WAV format', () => {
  expect(Buffer.from(wavHeader({ sampleRateHz: 24000, dataBytes: 6 })).toString('hex')).toBe(
    [
      '52494646', // RIFF
      '2a000000', // 42 bytes follow
      '57415645666d7420', // WAVEfmt
      '10000000', // 16 bytes of format
      '01000100', // PCM, one channel
      'c05d000080bb0000', // 24000 samples and 48000 bytes a second
      '02001000', // 2 bytes and 16 bits a sample
      '64617461', // data
      '06000000',
    ].join(''),
  )
})

test('the header of a stream has an unknown length', () => {
  const view = new DataView(wavHeader({ sampleRateHz: 8000, dataBytes: undefined }).buffer)
  expect([view.getUint32(4, true), view.getUint32(40, true)]).toEqual([0xffffffff, 0xffffffff])
})

test('parsing finds what was written, whether the sizes are true or a stream’s', () => {
  fc.assert(
    fc.property(fc.int16Array({ maxLength: 50 }), fc.boolean(), (pcm, streamed) => {
      const data = pcmToBytes(pcm)
      const header = wavHeader({ sampleRateHz: 16000, dataBytes: streamed ? undefined : data.length })
      const wav = parseWav(join(header, data))
      expect(wav.sampleRateHz).toBe(16000)
      expect([...wav.data]).toEqual([...data])
    }),
  )
})

test('a collected stream becomes a file with true sizes', () => {
  const streamed = join(wavHeader({ sampleRateHz: 24000, dataBytes: undefined }), samples)
  expect(withTrueWavSizes(streamed)).toEqual(join(wavHeader({ sampleRateHz: 24000, dataBytes: 6 }), samples))
})

test('unknown chunks are skipped, those of odd length too', () => {
  const header = wavHeader({ sampleRateHz: 24000, dataBytes: 6 })
  const list = Uint8Array.from([...Buffer.from('LIST'), 3, 0, 0, 0, 1, 2, 3, 0])
  const wav = parseWav(join(header.subarray(0, 36), list, header.subarray(36), samples, list))
  expect([...wav.data]).toEqual([...samples])
})

test('a cut-off sample at the end is left out', () => {
  const cut = join(wavHeader({ sampleRateHz: 24000, dataBytes: undefined }), samples).subarray(0, -1)
  expect(parseWav(cut).data).toHaveLength(4)
})

test('anything but a 16-bit mono WAV is an error with the reason', () => {
  const stereo = wavHeader({ sampleRateHz: 24000, dataBytes: 0 })
  stereo[22] = 2
  expect(() => parseWav(stereo)).toThrow('2 channels')
  expect(() => parseWav(new TextEncoder().encode('ID3 not a wav at all'))).toThrow('Not a WAV file')
  expect(() => parseWav(wavHeader({ sampleRateHz: 24000, dataBytes: 0 }).subarray(0, 36))).toThrow('without data')
})

test('any bytes are parsed or throw an error', () => {
  const header = wavHeader({ sampleRateHz: 24000, dataBytes: 0 })
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.integer({ min: 0, max: 44 }), (tail, kept) => {
      try {
        parseWav(join(header.subarray(0, kept), tail))
      } catch (error) {
        expect((error as Error).message).toMatch(/WAV|Not 16-bit/)
      }
    }),
    { numRuns: 2000 },
  )
})
