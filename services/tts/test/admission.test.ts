import { createLoad, createScheduler, signal } from './scheduler-scene.js'

describe('admission by the expected wait', () => {
  test('twenty texts at once are all spoken, in the order in which they came', async () => {
    const { come, pass, learn, started } = createLoad()
    await learn()
    const names = Array.from({ length: 20 }, (_, n) => `text${n}`)
    for (const name of names) expect(come(name)).toBe(true)
    await pass(2_000)
    expect(started).toEqual(names)
  })

  test.each([
    ['one_shot', 80],
    ['stream', 20],
  ] as const)(
    'of a %s those are refused that could not begin in time, with the seconds to wait',
    async (purpose, most) => {
      const { come, learn, refusals } = createLoad()
      await learn()
      const admitted = Array.from({ length: most + 10 }, (_, n) => come(`${n}`, 'a', { purpose }))
      // The first one does not wait.
      expect(admitted.indexOf(false)).toBe(most + 1)
      expect(admitted.slice(most + 1)).not.toContain(true)
      const seconds = Math.ceil((most + 1) / 10)
      expect(refusals[0]).toMatchObject({ code: 'capacity_exhausted', retryAfterSeconds: seconds })
    },
  )

  test.each([1_000, 2_400])(
    'four streams at once are all spoken by one engine whose segments take %d ms, though the last waits longer than usual',
    async (segmentMs) => {
      const { come, learn, pass, started, refusals } = createLoad({ segmentMs })
      await learn()
      const names = ['one', 'two', 'three', 'four']
      for (const name of names) expect(come(name, 'a', { purpose: 'stream' })).toBe(true)
      await pass(4 * segmentMs)
      expect(started).toEqual(names)
      expect(refusals).toEqual([])
    },
  )

  test('a stream never waits longer than a text in one request may', async () => {
    const { come, learn } = createLoad({ segmentMs: 5_000 })
    await learn()
    const admitted = Array.from({ length: 4 }, (_, n) => come(`${n}`, 'a', { purpose: 'stream', deadlineMs: 60_000 }))
    expect(admitted).toEqual([true, true, false, false])
  })

  test('a caller whose time is shorter is refused sooner', async () => {
    const { come, learn } = createLoad()
    await learn()
    for (let n = 0; n < 10; n++) come(`${n}`)
    expect(come('hurried', 'a', { deadlineMs: 900 })).toBe(false)
    expect(come('patient', 'a', { deadlineMs: 1_100 })).toBe(true)
  })

  test('twice the engines serve twice as many in time', async () => {
    const { come, learn } = createLoad({ engines: 2 })
    await learn()
    const admitted = Array.from({ length: 200 }, (_, n) => come(`${n}`))
    expect(admitted.indexOf(false)).toBe(2 * (80 + 1))
  })

  test('the wait of a workspace does not depend on how much another has queued', async () => {
    const { come, learn, pass, started } = createLoad()
    await learn()
    while (come('much', 'a'));
    expect(come('little', 'b', { purpose: 'stream' })).toBe(true)
    await pass(250)
    expect(started).toEqual(['much', 'little', 'much'])
  })

  test('a reply of a conversation is spoken before all that wait, whatever they wait for', async () => {
    const { come, learn, pass, started } = createLoad()
    await learn()
    for (const n of [1, 2, 3]) come(`text${n}`, 'a')
    come('stream', 'b', { purpose: 'stream' })
    come('reply', 'a', { purpose: 'reply' })
    await pass(1_000)
    expect(started).toEqual(['text1', 'reply', 'stream', 'text2', 'text3'])
  })

  test('a reply is admitted where texts are refused', async () => {
    const { come, learn } = createLoad()
    await learn()
    while (come('text'));
    expect(come('reply', 'a', { purpose: 'reply' })).toBe(true)
  })
})

describe('an overload', () => {
  /** One text every so many ms for some seconds, of one segment of 10 ms. Answers how many were refused in each second. */
  const overload = async (load: ReturnType<typeof createLoad>, everyMs: number, seconds: number) => {
    const refused: number[] = []
    for (let second = 0; second < seconds; second++) {
      const before = load.refusals.length
      for (let ms = 0; ms < 1_000; ms += everyMs) {
        load.come('text')
        await load.pass(everyMs)
      }
      refused.push(load.refusals.length - before)
    }
    return refused
  }

  test('is a burst for two seconds; then texts are refused at once, and those admitted wait for a moment', async () => {
    const load = createLoad({ segmentMs: 10 })
    await load.learn()
    const refused = await overload(load, 4, 12)
    expect(refused.slice(0, 2)).toEqual([0, 0])
    // All of the third second: three seconds of work wait.
    expect(refused[2]).toBeGreaterThan(240)
    const lasting = refused.slice(8)
    for (const each of lasting) {
      expect(each).toBeGreaterThan(100)
      expect(each).toBeLessThan(200)
    }
    expect(load.scheduler.waiting()).toBeLessThanOrEqual(3)
  })

  test('is over when the queue is empty: a burst is admitted whole again, though requests were refused to the end', async () => {
    const load = createLoad({ segmentMs: 10 })
    await load.learn()
    await overload(load, 4, 12)
    const refused = load.refusals.length
    await load.pass(2_000)
    for (let n = 0; n < 100; n++) expect(load.come('burst')).toBe(true)
    expect(load.refusals).toHaveLength(refused)
  })

  test('does not keep others out: a workspace with one text now and then is served', async () => {
    const load = createLoad({ segmentMs: 10 })
    await load.learn()
    await overload(load, 4, 3)
    for (let n = 0; n < 20; n++) {
      expect(load.come('other', 'b')).toBe(true)
      await load.pass(50)
      expect(load.started.filter((name) => name === 'other')).toHaveLength(n + 1)
      for (let m = 0; m < 20; m++) load.come('text')
    }
  })
})

test('a request that has not begun when its time is up is refused, and leaves the queue', async () => {
  let timeouts = 0
  const scheduler = createScheduler({ engines: 1, queueLimit: 10, onTimeout: () => timeouts++ })
  const end = await scheduler.admit('a').engine(signal)
  const late = scheduler.admit('a', { deadlineMs: 50 })
  await expect(late.engine(signal)).rejects.toMatchObject({ code: 'capacity_exhausted', retryAfterSeconds: 1 })
  late.leave()
  expect([scheduler.waiting(), timeouts]).toEqual([0, 1])
  end()
  await scheduler.admit('a').engine(signal)
})

test('a request that has begun waits for its further segments beyond that time', async () => {
  const scheduler = createScheduler({ engines: 1, queueLimit: 10 })
  const request = scheduler.admit('a', { deadlineMs: 50 })
  const end = await request.engine(signal)
  const further = request.engine(signal)
  await new Promise((resolve) => setTimeout(resolve, 100))
  end()
  expect(await further).toEqual(expect.any(Function))
})
