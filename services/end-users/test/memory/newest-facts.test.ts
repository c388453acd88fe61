import fc from 'fast-check'
import { estimateTokens, newestFacts } from '../../src/memory/memory.js'

test('a Latin text is a token for four characters, a Chinese one a token for each', () => {
  expect(estimateTokens('a'.repeat(400))).toBe(102)
  expect(estimateTokens('茶'.repeat(400))).toBe(402)
  expect(estimateTokens('ч'.repeat(400))).toBe(202)
})

test('the newest facts that fit into the budget are returned without a gap, the oldest first', () => {
  const facts = fc.array(fc.record({ text: fc.string({ maxLength: 80, unit: 'grapheme' }) }), { maxLength: 40 })
  fc.assert(
    fc.property(facts, fc.nat(300), (newestFirst, budget) => {
      const fitting = newestFacts(newestFirst, budget)
      expect(fitting).toEqual(newestFirst.slice(0, fitting.length).reverse())
      const tokens = (some: typeof newestFirst) => some.reduce((sum, { text }) => sum + estimateTokens(text), 0)
      expect(tokens(fitting)).toBeLessThanOrEqual(budget)
      const oneMore = newestFirst.slice(0, fitting.length + 1)
      expect(fitting.length === newestFirst.length || tokens(oneMore) > budget).toBe(true)
    }),
  )
})
