import type { ServiceError } from '@parlance/contracts'
import fc from 'fast-check'
import { vi } from 'vitest'
import type { AdmittedRequest } from '../src/scheduler.js'
import { codeOf, createScheduler, createWork, settled, signal } from './scheduler-scene.js'

describe('a scheduler', () => {
  test.each([1, 2, 3])('lets a workspace without others use all of %i engines', async (engines) => {
    const scheduler = createScheduler({ engines, queueLimit: 4 })
    const work = createWork()
    for (let n = 0; n <= engines; n++) void work.ask(scheduler.admit('a'), `a${n}`)
    await settled()
    expect(work.started).toHaveLength(engines)
    expect([scheduler.running(), scheduler.waiting()]).toEqual([engines, 1])
  })

  test('lets a single engine be used', async () => {
    const scheduler = createScheduler({ engines: 1, queueLimit: 0 })
    const work = createWork()
    void work.ask(scheduler.admit('a'), 'a1')
    await settled()
    expect(work.started).toEqual(['a1'])
  })

  test('lets one workspace use the whole queue, and gives the places beyond half of it to others that ask', async () => {
    const scheduler = createScheduler({ engines: 1, queueLimit: 4 })
    const work = createWork()
    const refused: string[] = []
    const ask = (workspace: string, name: string) =>
      codeOf(() => {
        work.ask(scheduler.admit(workspace), name).catch(({ code }: ServiceError) => refused.push(`${name} ${code}`))
      })
    expect(Array.from({ length: 6 }, (_, n) => ask('a', `a${n}`))).toEqual([
      ...Array(5).fill('ok'),
      'capacity_exhausted',
    ])
    await settled()
    expect(scheduler.isFull()).toBe(false)
    expect(Array.from({ length: 3 }, (_, n) => ask('b', `b${n}`))).toEqual(['ok', 'ok', 'capacity_exhausted'])
    await settled()
    expect(refused).toEqual(['a4 capacity_exhausted', 'a3 capacity_exhausted'])
    expect([scheduler.isFull(), scheduler.waiting()]).toEqual([true, 4])
    for (let at = 0; at < 5; at++) await work.end(work.started[at]!)
    expect(work.started).toEqual(['a0', 'b0', 'a1', 'b1', 'a2'])
  })

  test('a request whose place another workspace took before it asked for an engine is refused when it asks', async () => {
    const scheduler = createScheduler({ engines: 1, queueLimit: 2 })
    const [, , last] = ['a', 'a', 'a'].map((workspace) => scheduler.admit(workspace))
    expect(codeOf(() => scheduler.admit('b'))).toBe('ok')
    await expect(last!.engine(signal)).rejects.toMatchObject({ code: 'capacity_exhausted' })
    last!.leave()
    expect(scheduler.isFull()).toBe(true)
  })

  test('has room until one request waits for each engine', async () => {
    const scheduler = createScheduler({ engines: 2, queueLimit: 100 })
    const work = createWork()
    for (let n = 0; n < 4; n++) {
      expect(scheduler.hasRoom()).toBe(true)
      void work.ask(scheduler.admit('a'), `a${n}`)
    }
    await settled()
    expect(scheduler.hasRoom()).toBe(false)
    expect(codeOf(() => scheduler.admit('a'))).toBe('ok')
    const none = createScheduler({ engines: 1, queueLimit: 0 })
    none.admit('a')
    expect([none.hasRoom(), none.isFull()]).toEqual([false, true])
    expect(codeOf(() => none.admit('b'))).toBe('capacity_exhausted')
  })

  test.each([
    ['one_shot', 8_000],
    ['stream', 2_000],
  ] as const)(
    'refuses a %s that has not begun after %i ms, and says how long others waited',
    async (purpose, waitMs) => {
      vi.useFakeTimers({ now: 0 })
      try {
        const scheduler = createScheduler({ engines: 1, queueLimit: 10, now: () => Date.now() })
        const release = await scheduler.admit('a').engine(signal)
        const second = scheduler.admit('b').engine(signal)
        vi.advanceTimersByTime(1_500)
        release()
        await second
        const late = scheduler.admit('a', { purpose, deadlineMs: 60_000 })
        const refusal = late.engine(signal).catch((error: unknown) => error)
        vi.advanceTimersByTime(waitMs - 1)
        expect(scheduler.waiting()).toBe(1)
        vi.advanceTimersByTime(1)
        expect(await refusal).toMatchObject({ code: 'capacity_exhausted', retryAfterSeconds: 2 })
        expect(scheduler.waiting()).toBe(0)
      } finally {
        vi.useRealTimers()
      }
    },
  )

  test('refuses no request because of the length of what is spoken before it', async () => {
    const scheduler = createScheduler({ engines: 1, queueLimit: 100 })
    const work = createWork()
    for (let n = 0; n < 8; n++) {
      const long = scheduler.admit('a')
      for (let segment = 0; segment < 20; segment++) void work.ask(long, `long${n}.${segment}`)
    }
    const shorts = Array.from({ length: 25 }, (_, n) => `short${n}`)
    for (const name of shorts) void work.ask(scheduler.admit('a'), name)
    await settled()
    for (let at = 0; at < 33; at++) await work.end(work.started[at]!)
    // Each of the texts has begun before any has a second segment.
    expect(work.started.slice(0, 33)).toEqual(expect.arrayContaining(shorts))
  })

  test('gives the engine to replies first, and then to the listener whose audio runs out first', async () => {
    let nowMs = 0
    const scheduler = createScheduler({ engines: 1, queueLimit: 20, now: () => nowMs })
    const work = createWork()
    const requests = {
      busy: scheduler.admit('a'),
      threeSeconds: scheduler.admit('b', { purpose: 'continuation', aheadMs: 3_000 }),
      twoSeconds: scheduler.admit('c', { purpose: 'continuation', aheadMs: 2_000 }),
      none: scheduler.admit('a'),
      reply: scheduler.admit('a', { purpose: 'reply' }),
    }
    for (const [name, request] of Object.entries(requests)) void work.ask(request, name)
    await settled()
    requests.reply.made(60_000)
    void work.ask(requests.reply, 'rest of the reply')
    for (let at = 0; at < 5; at++) await work.end(work.started[at]!)
    expect(work.started).toEqual(['busy', 'reply', 'rest of the reply', 'none', 'twoSeconds', 'threeSeconds'])
    // Less than half a second may run out while a segment is spoken, and counts as none.
    nowMs = 2_600
    const another = scheduler.admit('d')
    for (const [name, request] of Object.entries({ again: requests.threeSeconds, another }))
      void work.ask(request, name)
    await work.end('threeSeconds')
    expect(work.started.at(-1)).toBe('another')
  })

  test('a request that has begun waits for its further segments beyond its time', async () => {
    const scheduler = createScheduler({ engines: 1, queueLimit: 10 })
    const request = scheduler.admit('a', { deadlineMs: 1 })
    const end = await request.engine(signal)
    const further = request.engine(signal)
    await new Promise((resolve) => setTimeout(resolve, 20))
    end()
    expect(await further).toEqual(expect.any(Function))
  })

  test('texts that wait for their next segments take no place in the queue', async () => {
    const scheduler = createScheduler({ engines: 2, queueLimit: 4 })
    const work = createWork()
    const texts = []
    for (let n = 0; n < 12; n++) {
      texts.push(scheduler.admit('a'))
      void work.ask(texts[n]!, `first${n}`)
      await settled()
      await work.end(`first${n}`)
    }
    for (const [n, text] of texts.entries()) void work.ask(text, `second${n}`)
    await settled()
    expect(scheduler.waiting()).toBe(10)
    void work.ask(scheduler.admit('b'), 'other')
    await work.end('second0')
    expect(work.started.at(-1)).toBe('other')
  })

  test('serves workspaces in turn, and within one its requests', async () => {
    const scheduler = createScheduler({ engines: 1, queueLimit: 20 })
    const work = createWork()
    const [long, short, other] = [scheduler.admit('a'), scheduler.admit('a'), scheduler.admit('b')]
    for (const segment of [1, 2, 3]) void work.ask(long, `long${segment}`)
    void work.ask(short, 'short')
    for (const segment of [1, 2]) void work.ask(other, `other${segment}`)
    await settled()
    for (let at = 0; at < 6; at++) await work.end(work.started[at]!)
    expect(work.started).toEqual(['long1', 'other1', 'short', 'other2', 'long2', 'long3'])
  })

  test('speaks a second segment of a request only when no other request waits for the engine', async () => {
    const scheduler = createScheduler({ engines: 2, queueLimit: 4 })
    const work = createWork()
    const long = scheduler.admit('a')
    for (const segment of [1, 2, 3]) void work.ask(long, `long${segment}`)
    await settled()
    expect(work.started).toEqual(['long1', 'long2'])
    void work.ask(scheduler.admit('a'), 'short')
    await work.end('long1')
    expect(work.started).toEqual(['long1', 'long2', 'short'])
  })

  test('a request whose audio is being read takes no slot, and continues when all are taken', async () => {
    const scheduler = createScheduler({ engines: 1, queueLimit: 1 })
    const work = createWork()
    const slow = scheduler.admit('a')
    void work.ask(slow, 'slow1')
    await settled()
    await work.end('slow1')
    const others = ['b', 'c'].map((workspace) => scheduler.admit(workspace))
    for (const [index, other] of others.entries()) void work.ask(other, `other${index}`)
    await settled()
    expect(codeOf(() => scheduler.admit('d'))).toBe('capacity_exhausted')
    void work.ask(slow, 'slow2')
    await settled()
    for (const name of ['other0', 'other1']) await work.end(name)
    expect(work.started).toEqual(['slow1', 'other0', 'other1', 'slow2'])
  })

  test('an aborted request releases its slot, and leaves the engine to the next', async () => {
    const scheduler = createScheduler({ engines: 1, queueLimit: 1 })
    const work = createWork()
    void work.ask(scheduler.admit('a'), 'a')
    const impatient = scheduler.admit('b')
    const controller = new AbortController()
    const waiting = work.ask(impatient, 'b', controller.signal)
    expect(codeOf(() => scheduler.admit('d'))).toBe('capacity_exhausted')
    controller.abort(new Error('hung up'))
    await expect(waiting).rejects.toThrow('hung up')
    impatient.leave()
    void work.ask(scheduler.admit('c'), 'c')
    await work.end('a')
    expect(work.started).toEqual(['a', 'c'])
  })

  test('the engines of a workspace that leaves count as its own until they are released', async () => {
    const scheduler = createScheduler({ engines: 2, queueLimit: 4 })
    const work = createWork()
    const left = scheduler.admit('a')
    void work.ask(left, 'a1')
    await settled()
    left.leave()
    for (const name of ['a2', 'a3']) void work.ask(scheduler.admit('a'), name)
    await settled()
    expect(work.started).toEqual(['a1', 'a2'])
    await work.end('a1')
    expect(work.started).toEqual(['a1', 'a2', 'a3'])
  })

  test('an engine that is released twice is released once', async () => {
    const scheduler = createScheduler({ engines: 2, queueLimit: 2 })
    const end = await scheduler.admit('a').engine(signal)
    await scheduler.admit('b').engine(signal)
    end()
    end()
    expect(scheduler.running()).toBe(1)
  })

  test('draining admits no request and serves those that are admitted to their end', async () => {
    const scheduler = createScheduler({ engines: 1, queueLimit: 4 })
    const work = createWork()
    const long = scheduler.admit('a')
    void work.ask(long, 'a1')
    await settled()
    scheduler.drain()
    expect(scheduler.hasRoom()).toBe(false)
    expect(codeOf(() => scheduler.admit('b'))).toBe('draining')
    void work.ask(long, 'a2')
    await work.end('a1')
    expect(work.started).toEqual(['a1', 'a2'])
  })

  test('for any sequence of requests, engines are used, shared and released, and no slot is lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ engines: fc.integer({ min: 1, max: 4 }), queueLimit: fc.integer({ min: 0, max: 6 }) }),
        fc.array(fc.tuple(fc.constantFrom('ask', 'end', 'leave', 'abort'), fc.nat(), fc.nat()), { maxLength: 80 }),
        async ({ engines, queueLimit }, steps) => {
          const scheduler = createScheduler({ engines, queueLimit })
          const requests: { workspace: string; admitted: AdmittedRequest; aborts: AbortController }[] = []
          const held: { workspace: string; end: () => void }[] = []
          let asked = 0
          let gone = 0
          for (const [step, one, two] of steps) {
            const request = requests[one % (requests.length || 1)]
            if (step === 'ask' && (two % 3 === 0 || request === undefined)) {
              const workspace = `w${two % 2}`
              if (
                codeOf(() =>
                  requests.push({ workspace, admitted: scheduler.admit(workspace), aborts: new AbortController() }),
                ) !== 'ok'
              ) {
                expect(scheduler.running() + scheduler.waiting() + requests.length).toBeGreaterThan(0)
              }
            } else if (step === 'ask' && request !== undefined) {
              asked += 1
              const { workspace } = request
              request.admitted.engine(request.aborts.signal).then(
                (end) => held.push({ workspace, end }),
                () => {
                  gone += 1
                },
              )
            } else if (step === 'end' && held.length > 0) {
              held.splice(one % held.length, 1)[0]!.end()
              gone += 1
            } else if ((step === 'leave' || step === 'abort') && request !== undefined) {
              request.aborts.abort()
              if (step === 'leave') {
                request.admitted.leave()
                requests.splice(requests.indexOf(request), 1)
              } else request.aborts = new AbortController()
            }
            await settled()
            expect(held.length).toBe(scheduler.running())
            expect(held.length + scheduler.waiting() + gone).toBe(asked)
            expect(held.length).toBeLessThanOrEqual(engines)
            // No segment waits beside a free engine.
            if (scheduler.waiting() > 0) expect(held.length).toBe(engines)
          }
          for (const { admitted, aborts } of requests) {
            aborts.abort()
            admitted.leave()
          }
          await settled()
          for (const { end } of held.splice(0)) end()
          const free = Array.from({ length: engines + queueLimit }, (_, index) =>
            codeOf(() => scheduler.admit(`n${index}`)),
          )
          expect(free.every((code) => code === 'ok')).toBe(true)
          expect(codeOf(() => scheduler.admit('more'))).toBe('capacity_exhausted')
        },
      ),
      { numRuns: 200 },
    )
  })
})
