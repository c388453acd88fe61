import { streamLimits } from '@parlance/contracts'
import { vi } from 'vitest'
import { ContextText } from '../src/stream/context-text.js'

const open = (mode: 'auto' | 'none' = 'auto') =>
  new ContextText({ buffering: { mode, max_delay_ms: 500 }, language: 'en' })

const textsOf = async (text: ContextText): Promise<string[]> => {
  const texts: string[] = []
  for await (const batch of text.batches) texts.push(batch.text)
  return texts
}

test('all text is returned in batches, in order, and then they end', async () => {
  const text = open()
  for (const piece of ['One sen', 'tence. Ano', 'ther one']) text.add(piece, 0)
  text.end()
  expect((await textsOf(text)).join('')).toBe('One sentence. Another one')
  expect(text.queuedCharacters).toBe('One sentence. Another one'.length)
})

test('after the end nothing more is accepted', () => {
  const text = open()
  text.end()
  for (const refused of [() => text.add('More.', 0), () => text.flush(), () => text.end()]) {
    expect(refused).toThrow('This context has ended')
  }
})

test('buffered text becomes a segment at a flush, and after a timeout when the client sends no more', () => {
  vi.useFakeTimers()
  try {
    const flushed = open()
    flushed.add('and', 0)
    expect(flushed.queuedCharacters).toBe(0)
    flushed.flush()
    expect(flushed.queuedCharacters).toBe(3)
    const left = open()
    left.add('and', 0)
    vi.advanceTimersByTime(streamLimits.auto_flush_ms + 10)
    expect(left.queuedCharacters).toBe(3)
    expect(left.firstQueuedMs).toBeDefined()
  } finally {
    vi.useRealTimers()
  }
})

test('when closed, it returns the segments that were not spoken and unfinished text, and its timers stop', () => {
  vi.useFakeTimers()
  try {
    const text = open()
    text.add('This is one sentence. And this', 0)
    expect(text.close().map((segment) => segment.text)).toEqual(['This is one sentence.', ' And this'])
    vi.advanceTimersByTime(2 * streamLimits.auto_flush_ms)
    expect(text.queuedCharacters).toBe('This is one sentence.'.length)
  } finally {
    vi.useRealTimers()
  }
})
