import { vi } from 'vitest'
import { retry, sleep } from '../src/index.js'

const backoff = { firstMs: 100, maxMs: 400 }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Rejects `failures` times, then resolves with the number of the attempt. */
const failing = (failures: number) => {
  const startedAtMs: number[] = []
  const work = async (attempt: number): Promise<number> => {
    startedAtMs.push(performance.now())
    if (attempt <= failures) throw new Error(`failure ${attempt}`)
    return attempt
  }
  return { work, startedAtMs }
}

test('work is called again after a growing wait until it resolves', async () => {
  const { work, startedAtMs } = failing(4)
  const result = retry(work, { backoff })
  await vi.runAllTimersAsync()
  await expect(result).resolves.toBe(5)
  const waitsMs = startedAtMs.slice(1).map((startMs, index) => startMs - (startedAtMs[index] as number))
  for (const [index, longestMs] of [100, 200, 400, 400].entries()) {
    expect(waitsMs[index]).toBeGreaterThanOrEqual(longestMs / 2 - 1)
    expect(waitsMs[index]).toBeLessThanOrEqual(longestMs + 1)
  }
})

test('work that resolves at once is called once', async () => {
  const { work, startedAtMs } = failing(0)
  await expect(retry(work, { backoff })).resolves.toBe(1)
  expect(startedAtMs).toHaveLength(1)
})

test('the error of the last attempt is thrown when the attempts are used up', async () => {
  const { work, startedAtMs } = failing(10)
  const result = expect(retry(work, { backoff, maxAttempts: 3 })).rejects.toThrow('failure 3')
  await vi.runAllTimersAsync()
  await result
  expect(startedAtMs).toHaveLength(3)
})

test('an error that another attempt cannot help against is thrown at once', async () => {
  const { work, startedAtMs } = failing(10)
  const shouldRetry = (error: unknown) => (error as Error).message !== 'failure 2'
  const result = expect(retry(work, { backoff, shouldRetry })).rejects.toThrow('failure 2')
  await vi.runAllTimersAsync()
  await result
  expect(startedAtMs).toHaveLength(2)
})

test('no attempt starts after the deadline, and the last error is not kept until then', async () => {
  const { work, startedAtMs } = failing(10)
  const beganAtMs = performance.now()
  const result = expect(retry(work, { backoff, deadlineMs: beganAtMs + 120 })).rejects.toThrow('failure 2')
  await vi.advanceTimersByTimeAsync(100)
  await result
  expect(startedAtMs).toHaveLength(2)
})

test('a delay that the server requests replaces the delay of the backoff', async () => {
  const { work, startedAtMs } = failing(1)
  const result = retry(work, { backoff, retryAfterMs: () => 5_000 })
  await vi.advanceTimersByTimeAsync(4_999)
  expect(startedAtMs).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  await expect(result).resolves.toBe(2)
})

test('an abort ends the wait with the reason of the signal, and no other attempt follows', async () => {
  const { work, startedAtMs } = failing(10)
  const abort = new AbortController()
  const result = expect(retry(work, { backoff, signal: abort.signal })).rejects.toThrow('the process stops')
  await vi.advanceTimersByTimeAsync(10)
  abort.abort(new Error('the process stops'))
  await result
  await vi.runAllTimersAsync()
  expect(startedAtMs).toHaveLength(1)
  await expect(retry(work, { backoff, signal: abort.signal })).rejects.toThrow('the process stops')
  expect(startedAtMs).toHaveLength(1)
})

test('a sleep ends after its time, or with the reason of its signal', async () => {
  const abort = new AbortController()
  const aborted = expect(sleep(1_000, abort.signal)).rejects.toThrow('enough')
  let slept = false
  const whole = sleep(1_000).then(() => {
    slept = true
  })
  await vi.advanceTimersByTimeAsync(999)
  expect(slept).toBe(false)
  abort.abort(new Error('enough'))
  await aborted
  await vi.advanceTimersByTimeAsync(1)
  await whole
  await expect(sleep(1, abort.signal)).rejects.toThrow('enough')
  expect(vi.getTimerCount()).toBe(0)
})
