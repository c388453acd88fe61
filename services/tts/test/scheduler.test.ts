import type { ServiceError } from '@parlance/contracts'
import fc from 'fast-check'
import type { AdmittedRequest } from '../src/scheduler.js'
import { createScheduler } from '../src/scheduler.js'

const { signal } = new AbortController()

/** Lets what was granted be heard. */
const settled = () => new Promise(setImmediate)

const codeOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    return (error as ServiceError).code
  }
  return 'ok'
}

/** Segments by name, started in `started` and ended by name. */
const createWork = () => {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    async ask(request: AdmittedRequest, name: string, given = new AbortController().signal) {
      const end = await request.engine(given)
      started.push(name)
      ends.set(name, end)
    },
    async end(name: string) {
      ends.get(name)!()
      await settled()
    },
  }
}

describe('a scheduler', () => {
  test('lets no workspace have the last engine, which another gets at once', async () => {
    const scheduler = createScheduler({ engines: 3, queueLimit: 4 })
    const work = createWork()
    for (const name of ['a1', 'a2', 'a3', 'a4']) void work.ask(scheduler.admit('a'), name)
    await settled()
    expect(work.started).toEqual(['a1', 'a2'])
    void work.ask(scheduler.admit('b'), 'b1')
    await settled()
    expect(work.started).toEqual(['a1', 'a2', 'b1'])
    expect([scheduler.running(), scheduler.waiting()]).toEqual([3, 2])
  })

  test('lets a single engine be used', async () => {
    const scheduler = createScheduler({ engines: 1, queueLimit: 0 })
    const work = createWork()
    void work.ask(scheduler.admit('a'), 'a1')
    await settled()
    expect(work.started).toEqual(['a1'])
  })

  test('gives one workspace a part of the queue, and refuses it what it keeps for others', () => {
    const scheduler = createScheduler({ engines: 3, queueLimit: 4 })
    const admit = (workspace: string) => codeOf(() => scheduler.admit(workspace))
    expect(Array.from({ length: 5 }, () => admit('a'))).toEqual(['ok', 'ok', 'ok', 'ok', 'capacity_exhausted'])
    expect(scheduler.hasRoom()).toBe(true)
    expect(Array.from({ length: 4 }, () => admit('b'))).toEqual(['ok', 'ok', 'ok', 'capacity_exhausted'])
    expect(scheduler.hasRoom()).toBe(false)
  })

  test('texts of one workspace that all come back for their next segments leave room for another', async () => {
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
    expect(scheduler.waiting()).toBe(11)
    expect(scheduler.hasRoom()).toBe(true)
    expect(codeOf(() => scheduler.admit('a'))).toBe('capacity_exhausted')
    void work.ask(scheduler.admit('b'), 'other')
    await settled()
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

  test('speaks a second segment of a request only where nobody else wants the engine', async () => {
    const scheduler = createScheduler({ engines: 3, queueLimit: 4 })
    const work = createWork()
    const long = scheduler.admit('a')
    for (const segment of [1, 2, 3]) void work.ask(long, `long${segment}`)
    await settled()
    expect(work.started).toEqual(['long1', 'long2'])
    void work.ask(scheduler.admit('a'), 'short')
    await work.end('long1')
    expect(work.started).toEqual(['long1', 'long2', 'short'])
  })

  test('a request whose audio is being read takes no seat, and goes on when all are taken', async () => {
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

  test('who gives up while waiting makes room, and leaves the engine to the next', async () => {
    const scheduler = createScheduler({ engines: 1, queueLimit: 1 })
    const work = createWork()
    void work.ask(scheduler.admit('a'), 'a')
    const impatient = scheduler.admit('b')
    const controller = new AbortController()
    const waiting = work.ask(impatient, 'b', controller.signal)
    expect(scheduler.hasRoom()).toBe(false)
    controller.abort(new Error('hung up'))
    await expect(waiting).rejects.toThrow('hung up')
    impatient.leave()
    void work.ask(scheduler.admit('c'), 'c')
    await work.end('a')
    expect(work.started).toEqual(['a', 'c'])
  })

  test('a workspace that leaves while its engines still work has not got them back', async () => {
    const scheduler = createScheduler({ engines: 2, queueLimit: 2 })
    const work = createWork()
    const left = scheduler.admit('a')
    void work.ask(left, 'a1')
    await settled()
    left.leave()
    void work.ask(scheduler.admit('a'), 'a2')
    await settled()
    expect(work.started).toEqual(['a1'])
    await work.end('a1')
    expect(work.started).toEqual(['a1', 'a2'])
  })

  test('giving an engine back twice gives back one', async () => {
    const scheduler = createScheduler({ engines: 2, queueLimit: 2 })
    const end = await scheduler.admit('a').engine(signal)
    await scheduler.admit('b').engine(signal)
    end()
    end()
    expect(scheduler.running()).toBe(1)
  })

  test('draining admits nobody and sees through who is there', async () => {
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

  test('whatever comes and goes: engines are used, shared and given back, and every seat is found again', async () => {
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
            const most = Math.max(1, engines - 1)
            for (const workspace of ['w0', 'w1']) {
              expect(held.filter((each) => each.workspace === workspace).length).toBeLessThanOrEqual(most)
            }
            // Nobody waits beside an engine that he may have.
            if (scheduler.waiting() > 0) expect(held.length).toBeGreaterThanOrEqual(most)
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
