import { iterate, pushStreamFrom, type Sink } from '../../src/push-stream/index.js'

const never = () => new AbortController().signal
const numbers = (count: number) => pushStreamFrom(() => Array.from({ length: count }, (_, n) => n))
const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
}

describe('a push stream of an iterable', () => {
  test('passes all items again to every caller, each once the sink is ready for it', async () => {
    const stream = numbers(5)
    for (let round = 0; round < 2; round++) {
      const got: number[] = []
      let taking = false
      await stream(async (item) => {
        expect(taking).toBe(false)
        taking = true
        await new Promise(setImmediate)
        taking = false
        got.push(item)
      }, never())
      expect(got).toEqual([0, 1, 2, 3, 4])
    }
  })

  test('ends with the error that its sink throws, and closes its source', async () => {
    let left = false
    const stream = pushStreamFrom(function* () {
      try {
        yield* [1, 2, 3]
      } finally {
        left = true
      }
    })
    const reason = new Error('no more')
    const throwing: Sink<number> = (item) => {
      if (item === 2) throw reason
    }
    await expect(stream(throwing, never())).rejects.toBe(reason)
    expect(left).toBe(true)
    const rejecting: Sink<number> = async (item) => throwing(item)
    await expect(stream(rejecting, never())).rejects.toBe(reason)
  })

  test('delivers nothing after an abort', async () => {
    const controller = new AbortController()
    const got: number[] = []
    const stream = numbers(5)((item) => {
      got.push(item)
      if (item === 2) controller.abort(new Error('enough'))
    }, controller.signal)
    await expect(stream).rejects.toThrow('enough')
    expect(got).toEqual([0, 1, 2])
    await expect(numbers(1)(() => {}, controller.signal)).rejects.toThrow('enough')
  })
})

describe('a push stream that is read', () => {
  test('starts with the first read, and produces no more than is read', async () => {
    let made = 0
    const stream = pushStreamFrom(function* () {
      for (; made < 5; made++) yield made
    })
    const items = iterate(stream)
    await settled()
    expect(made).toBe(0)
    expect(await items.next()).toEqual({ done: false, value: 0 })
    await settled()
    expect(made).toBe(1)
    const rest: number[] = []
    for await (const item of items) rest.push(item)
    expect(rest).toEqual([1, 2, 3, 4])
    expect(await items.next()).toEqual({ done: true, value: undefined })
  })

  test('is aborted when its loop is left, whether it was read or not', async () => {
    const signals: AbortSignal[] = []
    const stream = pushStreamFrom((signal) => {
      signals.push(signal)
      return [1, 2, 3]
    })
    for await (const item of iterate(stream)) if (item === 2) break
    await settled()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    const unread = iterate(stream)
    await unread.return?.()
    expect(await unread.next()).toMatchObject({ done: true })
    expect(signals).toHaveLength(1)
  })

  test('reports a failure once, after the items that precede it', async () => {
    const failure = new Error('it broke')
    const items = iterate(
      pushStreamFrom(function* () {
        yield 1
        throw failure
      }),
    )
    expect(await items.next()).toEqual({ done: false, value: 1 })
    await settled()
    await expect(items.next()).rejects.toBe(failure)
    expect(await items.next()).toMatchObject({ done: true })
  })

  test('rejects at once when it is aborted, and drops what was not read', async () => {
    const controller = new AbortController()
    const waiting = iterate(
      pushStreamFrom(async function* (signal) {
        yield 1
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      }),
      controller.signal,
    )
    await waiting.next()
    const next = waiting.next()
    const unread = iterate(numbers(3), controller.signal)
    await unread.next()
    await settled()
    controller.abort(new Error('cancelled'))
    await expect(next).rejects.toThrow('cancelled')
    await expect(unread.next()).rejects.toThrow('cancelled')
  })
})
