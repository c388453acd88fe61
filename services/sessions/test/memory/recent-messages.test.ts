import { createRecentMessages } from '../../src/memory/recent-messages.js'
import { user } from './messages.js'

test('of a long conversation the latest messages are kept, within limits', () => {
  const recent = createRecentMessages()
  const all = Array.from({ length: 1_000 }, (_, index) => user(`${index} ${'x'.repeat(index % 500)}`))
  for (const message of all) recent.add(message)
  const kept = recent.all()
  expect(kept).toEqual(all.slice(-kept.length))
  expect(kept.length).toBeLessThanOrEqual(200)
  expect(kept.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(24_000)
})

test('one message is kept however long it is', () => {
  const recent = createRecentMessages()
  recent.add(user('x'.repeat(100_000)))
  expect(recent.all()).toHaveLength(1)
})
