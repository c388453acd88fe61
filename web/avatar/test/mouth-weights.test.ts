import fc from 'fast-check'
import { mouthWeights } from '../src/motion/mouth.js'

const ids = ['PP', 'FF', 'TH', 'DD', 'kk', 'CH', 'SS', 'nn', 'RR', 'aa', 'E', 'I', 'O', 'U']

const timeline = fc
  .array(fc.record({ id: fc.constantFrom(...ids), lasting: fc.integer({ min: 15, max: 400 }) }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((parts) => {
    let end_ms = 0
    return parts.map(({ id, lasting }) => {
      const start_ms = end_ms
      end_ms += lasting
      return { id, start_ms, end_ms }
    })
  })

const heaviest = (weights: ReadonlyMap<string, number>) =>
  [...weights].reduce((most, one) => (one[1] > most[1] ? one : most), ['sil', 0] as [string, number])

test('the dominant shape of a mouth sounds within 60 ms of it', () => {
  fc.assert(
    fc.property(timeline, fc.double({ min: 0, max: 1, noNaN: true }), (visemes, share) => {
      const atMs = share * visemes.at(-1)!.end_ms
      const [shown] = heaviest(mouthWeights(visemes, atMs))
      const errors = visemes
        .filter(({ id }) => id === shown)
        .map(({ start_ms, end_ms }) => Math.max(start_ms - atMs, atMs - end_ms, 0))
      expect(Math.min(...errors)).toBeLessThanOrEqual(60)
    }),
  )
})

test('weights never add up to more than one, and never jump', () => {
  fc.assert(
    fc.property(timeline, fc.double({ min: 0, max: 1, noNaN: true }), (visemes, share) => {
      const atMs = share * visemes.at(-1)!.end_ms
      const [now, soon] = [mouthWeights(visemes, atMs), mouthWeights(visemes, atMs + 1)]
      expect([...now.values()].reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(1 + 1e-9)
      for (const id of ids) expect(Math.abs((now.get(id) ?? 0) - (soon.get(id) ?? 0))).toBeLessThan(0.1)
    }),
  )
})

test('lips that close do close, and the mouth rests before and after', () => {
  const visemes = [
    { id: 'aa', start_ms: 500, end_ms: 700 },
    { id: 'PP', start_ms: 700, end_ms: 800 },
    { id: 'aa', start_ms: 800, end_ms: 1_000 },
  ]
  expect([...mouthWeights(visemes, 750)]).toEqual([['PP', 1]])
  expect([...mouthWeights(visemes, 400)]).toEqual([])
  expect([...mouthWeights(visemes, 1_100)]).toEqual([])
  expect([...mouthWeights([], 0)]).toEqual([])
})

test('a short silence between two words does not close the mouth, a long one does', () => {
  const withSilence = (lasting: number) => [
    { id: 'aa', start_ms: 0, end_ms: 200 },
    { id: 'sil', start_ms: 200, end_ms: 200 + lasting },
    { id: 'E', start_ms: 200 + lasting, end_ms: 600 },
  ]
  expect(mouthWeights(withSilence(100), 250).get('aa')).toBeGreaterThan(0.8)
  expect(heaviest(mouthWeights(withSilence(300), 350))).toEqual(['sil', 0])
})
