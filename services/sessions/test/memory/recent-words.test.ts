import { createRecentWords } from '../../src/memory/recent-words.js'
import { user } from './said.js'

test('a long conversation is drawn upon from its end, within a bound', () => {
  const words = createRecentWords()
  const all = Array.from({ length: 1_000 }, (_, index) => user(`${index} ${'x'.repeat(index % 500)}`))
  for (const message of all) words.add(message)
  const kept = words.all()
  expect(kept).toEqual(all.slice(-kept.length))
  expect(kept.length).toBeLessThanOrEqual(200)
  expect(kept.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(24_000)
})

test('one message is kept however long it is', () => {
  const words = createRecentWords()
  words.add(user('x'.repeat(100_000)))
  expect(words.all()).toHaveLength(1)
})
