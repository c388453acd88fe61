import { concatPcm } from '@parlance/audio'
import fc from 'fast-check'
import { createTrimmedAudio } from '../src/trimmed-audio.js'

/** One sample a millisecond. */
const sampleRateHz = 1000
const silence = (ms: number) => new Int16Array(ms)
const sound = (ms: number) => new Int16Array(ms).fill(5000)

const trim = (parts: readonly Int16Array[], maxMs: number) => {
  const trimmed = createTrimmedAudio(sampleRateHz)
  const sent = parts.map((part) => trimmed.add(part))
  return { sent, tail: trimmed.end(maxMs) }
}

test('silence before the first sound is removed except for its last 10 ms', () => {
  const { sent } = trim([concatPcm([silence(300), sound(50)])], 0)
  expect(sent[0]).toEqual(concatPcm([silence(10), sound(50)]))
})

test('silence at the end lasts no longer than the pause, and not shorter than the sound takes to fade', () => {
  const parts = [concatPcm([sound(50), silence(400)])]
  expect(trim(parts, 350).tail).toHaveLength(350)
  expect(trim(parts, 500).tail).toHaveLength(400)
  expect(trim(parts, 0).tail).toHaveLength(30)
})

test('silence between two parts is kept', () => {
  const { sent } = trim([concatPcm([sound(50), silence(70)]), silence(30), concatPcm([silence(5), sound(20)])], 0)
  expect(sent.map(({ length }) => length)).toEqual([50, 0, 125])
})

test('audio without a sound is empty', () => {
  const { sent, tail } = trim([silence(200), silence(100)], 350)
  expect([...sent, tail].map(({ length }) => length)).toEqual([0, 0, 0])
})

test('the same audio is sent however it is divided', () => {
  const runs = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 60 })), { maxLength: 8 })
  fc.assert(
    fc.property(runs, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }), (of, lengths) => {
      const whole = concatPcm(of.map(([isSound, ms]) => (isSound ? sound(ms) : silence(ms))))
      const parts: Int16Array[] = []
      for (let start = 0, n = 0; start < whole.length; n++) {
        const length = lengths[n % lengths.length]!
        parts.push(whole.slice(start, start + length))
        start += length
      }
      const joined = ({ sent, tail }: ReturnType<typeof trim>) => concatPcm([...sent, tail])
      expect(joined(trim(parts, 100))).toEqual(joined(trim([whole], 100)))
    }),
  )
})
