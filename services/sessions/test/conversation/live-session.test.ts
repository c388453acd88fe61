import { vi } from 'vitest'
import { announcedMs, createAnnouncedEnd } from '../../src/conversation/live-session.js'

const endOf = () => {
  const ends: [reason: string, deadlineMs: number][] = []
  return { ends, announced: createAnnouncedEnd((...end) => ends.push(end)) }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a conversation that is drained continues until 15 s before the deadline', () => {
  const { ends, announced } = endOf()
  announced.end('drained', 600_000)
  vi.advanceTimersByTime(600_000 - announcedMs - 1)
  expect(ends).toEqual([])
  vi.advanceTimersByTime(1)
  expect(ends).toEqual([['drained', announcedMs]])
})

test('a nearer deadline counts, and one within 15 s is announced at once', () => {
  const { ends, announced } = endOf()
  announced.end('drained', 600_000)
  announced.end('drained', 100_000)
  announced.end('drained', 300_000)
  vi.advanceTimersByTime(100_000 - announcedMs)
  expect(ends).toEqual([['drained', announcedMs]])
  announced.end('api_ended', 1_000)
  announced.end('drained', announcedMs)
  expect(ends.slice(1)).toEqual([
    ['api_ended', 1_000],
    ['drained', announcedMs],
  ])
})

test('nothing is announced to a conversation that ended by itself', () => {
  const { ends, announced } = endOf()
  announced.end('drained', 600_000)
  announced.cancel()
  vi.advanceTimersByTime(700_000)
  expect(ends).toEqual([])
})
