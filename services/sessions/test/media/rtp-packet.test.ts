import { testSeed } from '@parlance/testing'
import fc from 'fast-check'
import { isRtcp, opusPacketSamples, parseRtpPacket, writeRtpPacket } from '../../src/media/webrtc/rtp-packet.js'

const plain = {
  payloadType: 111,
  marker: true,
  sequence: 65_535,
  timestamp: 2 ** 32 - 1,
  ssrc: 7,
  payload: Uint8Array.of(1, 2, 3),
}

/** A packet with all that may stand between header and payload, and behind it. */
const packet = (options: { csrcs?: number; extensionWords?: number; padding?: number; payload?: number[] }) => {
  const { csrcs = 0, extensionWords, padding = 0, payload = [9, 8, 7] } = options
  const first = 0x80 | (padding > 0 ? 0x20 : 0) | (extensionWords !== undefined ? 0x10 : 0) | csrcs
  const extension =
    extensionWords === undefined
      ? []
      : [0xbe, 0xde, 0, extensionWords, ...Array.from({ length: extensionWords * 4 }, () => 0xee)]
  const pad = Array.from({ length: padding }, (_, at) => (at === padding - 1 ? padding : 0))
  return Uint8Array.from([
    first,
    111,
    0,
    1,
    0,
    0,
    0,
    2,
    0,
    0,
    0,
    3,
    ...Array.from({ length: csrcs * 4 }, () => 0xcc),
    ...extension,
    ...payload,
    ...pad,
  ])
}

describe('RTP packets', () => {
  test('what is written is read as the same', () => {
    const { payload, ...header } = parseRtpPacket(writeRtpPacket(plain)) ?? plain
    expect({ ...header, payload: [...payload] }).toEqual({ ...plain, payload: [1, 2, 3] })
  })

  test.each([
    ['contributing sources', { csrcs: 15 }],
    ['a header extension', { extensionWords: 3 }],
    ['an empty header extension', { extensionWords: 0 }],
    ['padding', { padding: 5 }],
    ['all of them', { csrcs: 2, extensionWords: 1, padding: 1 }],
  ])('%s are not taken for payload', (_, options) => {
    expect([...(parseRtpPacket(packet(options))?.payload ?? [])]).toEqual([9, 8, 7])
  })

  test.each([
    ['shorter than a header', packet({}).subarray(0, 11)],
    ['with sources that are not there', packet({ csrcs: 3, payload: [] }).subarray(0, 20)],
    ['with an extension longer than itself', packet({ extensionWords: 4 }).subarray(0, 20)],
    ['with an extension of which not even the length is there', packet({ extensionWords: 4 }).subarray(0, 14)],
    ['with more padding than there is', Uint8Array.of(...packet({ padding: 1 }).subarray(0, 15), 200)],
    ['with padding of no length', Uint8Array.of(...packet({ padding: 1 }).subarray(0, 15), 0)],
    ['of another version', Uint8Array.of(0x40, ...packet({}).subarray(1))],
  ])('a packet %s is none', (_, bytes) => {
    expect(parseRtpPacket(bytes)).toBeUndefined()
  })

  test('any bytes are parsed or ignored, without an exception', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const parsed = parseRtpPacket(bytes)
        if (parsed !== undefined) expect(parsed.payload.length).toBeLessThanOrEqual(bytes.length - 12)
        const samples = opusPacketSamples(parsed?.payload ?? bytes)
        if (samples !== undefined) expect(samples).toBeLessThanOrEqual(5760)
      }),
      { seed: testSeed(), numRuns: 2000 },
    )
  })

  test('RTCP is distinguished from RTP', () => {
    expect(isRtcp(Uint8Array.of(0x80, 200))).toBe(true)
    expect(isRtcp(writeRtpPacket(plain))).toBe(false)
  })

  test.each([
    ['one SILK frame of 60 ms', [0x18], 2880],
    ['one CELT frame of 2.5 ms', [0x80], 120],
    ['two CELT frames of 20 ms', [0xf9], 1920],
    ['three hybrid frames of 20 ms', [0x7b, 3], 2880],
    ['no frames', [0x7b, 0], undefined],
    ['more than 120 ms', [0x7b, 7], undefined],
    ['a count that is missing', [0x7b], undefined],
    ['nothing', [], undefined],
  ])('%s: the length of an Opus packet is known by its first bytes', (_, bytes, samples) => {
    expect(opusPacketSamples(Uint8Array.from(bytes))).toBe(samples)
  })
})
