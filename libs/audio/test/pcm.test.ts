import fc from 'fast-check'
import { applyGain, concatPcm, msToSamples, pcmFromBytes, pcmToBytes, samplesToMs } from '../src/index.js'

const pcm = fc.int16Array({ maxLength: 200 })

test('bytes are little-endian', () => {
  expect([...pcmToBytes(Int16Array.of(1, -2, 0x1234))]).toEqual([1, 0, 0xfe, 0xff, 0x34, 0x12])
  expect([...pcmFromBytes(Uint8Array.of(1, 0, 0xfe, 0xff))]).toEqual([1, -2])
})

test('parts are joined in order, in new memory', () => {
  const first = Int16Array.of(1, 2)
  const whole = concatPcm([first, new Int16Array(0), Int16Array.of(-3)])
  first.fill(9)
  expect([...whole]).toEqual([1, 2, -3])
  expect([...concatPcm([])]).toEqual([])
})

test('samples are the same after a conversion to bytes and back, at any offset', () => {
  fc.assert(
    fc.property(pcm, fc.integer({ min: 0, max: 3 }), (samples, offset) => {
      const bytes = pcmToBytes(samples)
      const elsewhere = new Uint8Array(bytes.length + offset)
      elsewhere.set(bytes, offset)
      expect(pcmFromBytes(elsewhere.subarray(offset))).toEqual(samples)
      expect(pcmFromBytes(Buffer.from(bytes))).toEqual(samples)
    }),
  )
})

test('the bytes of a part are that part, and later changes of the samples do not reach them', () => {
  const samples = Int16Array.of(1, 2, 3, 4)
  const bytes = pcmToBytes(samples.subarray(1, 3))
  samples.fill(0)
  expect([...bytes]).toEqual([2, 0, 3, 0])
})

test('half a sample is an error', () => {
  expect(() => pcmFromBytes(new Uint8Array(3))).toThrow('odd number of bytes (3)')
})

test('gain saturates', () => {
  expect([...applyGain(Int16Array.of(20000, -20000, 100), 2)]).toEqual([32767, -32768, 200])
  fc.assert(
    fc.property(pcm, fc.double({ min: 0, max: 2, noNaN: true }), (samples, gain) => {
      applyGain(samples, gain).forEach((sample, i) => {
        const exact = samples[i]! * gain
        expect(Math.abs(sample - Math.max(-32768, Math.min(32767, exact)))).toBeLessThanOrEqual(0.5)
      })
    }),
  )
})

test('a gain of 1 does not change the samples, which are in new memory', () => {
  const samples = Int16Array.of(5, -5)
  const same = applyGain(samples, 1)
  expect(same).toEqual(samples)
  expect(same).not.toBe(samples)
})

test('durations and samples convert both ways', () => {
  expect(samplesToMs(441, 22050)).toBe(20)
  expect(msToSamples(20, 22050)).toBe(441)
  expect(msToSamples(0.03, 24000)).toBe(1)
})
