import fc from 'fast-check'
import {
  createFrameDecoder,
  encodeFrame,
  encodeJsonFrame,
  type FrameKind,
  jsonOf,
  maxFrameBytes,
  samplesOf,
} from '../../src/protocol/index.js'

const kinds: FrameKind[] = ['hello', 'speak', 'cancel', 'audio', 'marks', 'end', 'error']
const frames = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    job: fc.nat({ max: 0xffffffff }),
    payload: fc.uint8Array({ maxLength: 300 }),
  }),
)

const joined = (parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

describe('frames', () => {
  it('are decoded as they were encoded, however the pipe divides them', () => {
    fc.assert(
      fc.property(frames, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sent, cuts) => {
        const bytes = joined(sent.map(({ kind, job, payload }) => encodeFrame(kind, job, payload)))
        const decode = createFrameDecoder()
        const received = []
        for (let start = 0, turn = 0; start < bytes.length; turn++) {
          const end = start + cuts[turn % cuts.length]!
          received.push(...decode(bytes.subarray(start, end)))
          start = end
        }
        expect(received).toEqual(sent)
      }),
    )
  })

  it('are returned together when they arrived together', () => {
    const bytes = joined([encodeFrame('audio', 1, new Uint8Array(3)), encodeFrame('end', 1), encodeFrame('cancel', 2)])
    expect(createFrameDecoder()(bytes).map(({ kind, job }) => [kind, job])).toEqual([
      ['audio', 1],
      ['end', 1],
      ['cancel', 2],
    ])
  })

  it('contain the samples that were sent, at any offset, also in a larger Buffer', () => {
    const samples = fc.int16Array({ maxLength: 50 })
    const marks = fc.string({ maxLength: 20 })
    fc.assert(
      fc.property(fc.array(fc.tuple(samples, marks), { maxLength: 5 }), fc.nat(9), (parts, at) => {
        const sent = parts.flatMap(([pcm, text]) => [
          encodeFrame('audio', 1, new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength)),
          encodeJsonFrame('marks', 1, text),
        ])
        const bytes = Buffer.concat([Buffer.alloc(at), ...sent]).subarray(at)
        const received = createFrameDecoder()(bytes).filter(({ kind }) => kind === 'audio')
        expect(received.map(samplesOf)).toEqual(parts.map(([pcm]) => pcm))
      }),
    )
  })

  it('are views of the received bytes, and so are their samples when they are aligned', () => {
    const bytes = joined([encodeFrame('audio', 1, Uint8Array.of(1, 2)), encodeFrame('audio', 1, Uint8Array.of(3, 4))])
    for (const { payload } of createFrameDecoder()(bytes)) {
      expect(payload.buffer).toBe(bytes.buffer)
      expect(payload.byteOffset % 2).toBe(0)
    }
  })

  it('carry any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const [frame] = createFrameDecoder()(encodeJsonFrame('marks', 7, value))
        expect(jsonOf(frame!)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it.each([
    ['a length too small for a header', Uint8Array.of(5, 0, 0, 0), 'cannot be 5 bytes long'],
    [
      'a length beyond the limit, before the bytes have arrived',
      Uint8Array.of(255, 255, 255, 255),
      'cannot be 4294967295',
    ],
    ['an unknown kind', Uint8Array.of(6, 0, 0, 0, 99, 0, 0, 0, 0, 0), 'unknown frame kind 99'],
  ])('are refused with %s', (_case, bytes, message) => {
    expect(() => createFrameDecoder()(bytes)).toThrow(message)
  })

  it('turn any other bytes into a ProtocolError or into frames, never into something else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          createFrameDecoder()(bytes)
        } catch (error) {
          expect((error as Error).name).toBe('ProtocolError')
        }
      }),
    )
  })

  it('that are too long are not encoded', () => {
    expect(() => encodeFrame('audio', 1, new Uint8Array(maxFrameBytes))).toThrow('too long')
  })

  it('whose payload is not the required JSON throw a ProtocolError', () => {
    const [frame] = createFrameDecoder()(encodeFrame('marks', 1, Uint8Array.of(0xff)))
    expect(() => jsonOf(frame!)).toThrow('the payload of a marks frame is not JSON')
  })
})
