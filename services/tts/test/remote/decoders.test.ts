import { wavHeader } from '@parlance/audio'
import fc from 'fast-check'
import { bytesOfBase64, createPcmDecoder, createWavDecoder, type PcmDecoder } from '../../src/remote/audio-decoder.js'
import { createLineSplitter } from '../../src/remote/line-splitter.js'
import { RemoteFailure } from '../../src/remote/remote-failure.js'

const pcm = Int16Array.from({ length: 300 }, (_, i) => i * 7 - 1000)
const bytes = Buffer.from(pcm.buffer)

/** The bytes in pieces, cut where the numbers say. */
const cut = (whole: Buffer, cuts: readonly number[]): Buffer[] => {
  const at = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length]
  return at.slice(1).map((end, i) => whole.subarray(at[i], end))
}
const cuts = fc.array(fc.nat(2000), { maxLength: 30 })

const decodeAll = (decoder: PcmDecoder, pieces: readonly Buffer[]): number[] => {
  const samples = pieces.flatMap((piece) => [...decoder.decode(piece)])
  decoder.end()
  return samples
}

test('samples are the same wherever their bytes are divided', () => {
  fc.assert(fc.property(cuts, (at) => void expect(decodeAll(createPcmDecoder(), cut(bytes, at))).toEqual([...pcm])))
})

test('half a sample at the end is an error', () => {
  fc.assert(
    fc.property(cuts, (at) => {
      expect(() => decodeAll(createPcmDecoder(), cut(bytes.subarray(0, -1), at))).toThrow('within a sample')
    }),
  )
})

describe('a WAV that is being sent', () => {
  const chunk = (tag: string, data: Buffer) => {
    const head = Buffer.from(`${tag}\0\0\0\0`, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
  }
  const header = Buffer.from(wavHeader({ sampleRateHz: 24_000, dataBytes: bytes.length }))
  const withList = Buffer.concat([
    header.subarray(0, 36),
    chunk('LIST', Buffer.from('odd')),
    header.subarray(36),
    bytes,
  ])
  const unknown = Buffer.concat([wavHeader({ sampleRateHz: 24_000, dataBytes: undefined }), bytes])

  test.each([
    ['of known length', Buffer.concat([header, bytes])],
    ['of unknown length', unknown],
    ['with other chunks before its data', withList],
    ['with other chunks after its data', Buffer.concat([header, bytes, chunk('LIST', Buffer.alloc(100))])],
  ])('gives its samples wherever it is cut: %s', (_, wav) => {
    fc.assert(
      fc.property(cuts, (at) => void expect(decodeAll(createWavDecoder(24_000), cut(wav, at))).toEqual([...pcm])),
    )
  })

  test.each([
    ['another rate', (wav: Buffer) => wav.writeUInt32LE(22_050, 24), 'audio at 22050 Hz'],
    ['two channels', (wav: Buffer) => wav.writeUInt16LE(2, 22), '2 channels'],
    ['eight bits', (wav: Buffer) => wav.writeUInt16LE(8, 34), '8 bits'],
    ['another encoding', (wav: Buffer) => wav.writeUInt16LE(7, 20), 'encoding 7'],
    ['no format', (wav: Buffer) => wav.write('junk', 12), 'data before its format'],
    ['another name', (wav: Buffer) => wav.write('OggS', 0), 'not a WAV'],
    ['more data promised than there is', (wav: Buffer) => wav.writeUInt32LE(bytes.length + 2, 40), 'is truncated'],
  ])('with %s is an error', (_, spoil, message) => {
    const wav = Buffer.concat([header, bytes])
    spoil(wav)
    expect(() => decodeAll(createWavDecoder(24_000), [wav])).toThrow(message)
  })

  test('may not have a header without an end', () => {
    const decoder = createWavDecoder(24_000)
    const head = Buffer.concat([header.subarray(0, 12), Buffer.from('LIST\xff\xff\xff\x7f', 'latin1')])
    expect(() => {
      decoder.decode(head)
      for (let i = 0; i < 100; i++) decoder.decode(Buffer.alloc(1024))
    }).toThrow('header has no end')
  })

  test('produces only samples or a failure, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(44), (noise, keep) => {
        const wav = Buffer.concat([header.subarray(0, keep), noise])
        try {
          decodeAll(createWavDecoder(24_000), [wav])
        } catch (error) {
          expect(error).toBeInstanceOf(RemoteFailure)
        }
      }),
    )
  })
})

test('lines are the same wherever their bytes are divided, even within a character', () => {
  const lines = ['{"a":1}', '', 'zwölf – 十二', 'x'.repeat(100)]
  const whole = Buffer.from(`${lines.join('\n')}\nrest`)
  fc.assert(
    fc.property(cuts, (at) => {
      const splitter = createLineSplitter(1000)
      expect(cut(whole, at).flatMap((piece) => splitter.split(piece))).toEqual(lines)
      expect(splitter.rest()).toBe('rest')
    }),
  )
})

test('a line may be no longer than allowed', () => {
  const splitter = createLineSplitter(1000)
  splitter.split(Buffer.alloc(1000, 'x'))
  expect(() => splitter.split(Buffer.alloc(1, 'x'))).toThrow('a line is too long')
})

test('Base64 is decoded completely or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (data) => {
      expect([...bytesOfBase64(Buffer.from(data).toString('base64'))]).toEqual([...data])
    }),
  )
  for (const wrong of ['AAA', 'AAAAA', 'AA A', 'AAA!', '====', 'AA=A'])
    expect(() => bytesOfBase64(wrong)).toThrow('Base64')
})
