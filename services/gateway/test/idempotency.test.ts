import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { ServiceError } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import type { RequestHandler } from 'express'
import { jsonType } from '../src/http/json-response.js'
import { expectError } from './expect-error.js'
import { otherWorkspaceId } from './fake-services.js'
import { mint, type OpenThings, type OpenThingsOptions, openThings, sendCreated, token } from './open-things.js'
import { describeSharedStores } from './shared-stores.js'

/** Blocks the work of a test until it is released. */
const createGate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

/** A busy machine may be late with the renewal of a claim. */
const times = { claimMs: 1_000, waitMs: 10_000, keptMs: 60_000 }

describeSharedStores('an Idempotency-Key', (open) => {
  const opened: OpenThings[] = []
  const openServer = async (work: RequestHandler, options: Partial<OpenThingsOptions> = {}) => {
    const things = await openThings({ ttl: await open(), work, times, ...options })
    opened.push(things)
    return things
  }
  afterEach(async () => {
    for (const things of opened.splice(0)) await things.close()
  })
  let key = ''
  beforeEach(() => {
    key = randomUUID()
  })

  test('replays the first response through any server: its status, body and the meaning of its headers', async () => {
    const [first, second] = [await openServer(mint), await openServer(mint)]
    const original = await first.post(key)
    const body = await original.text()
    expect(original.headers.get('idempotency-replayed')).toBeNull()
    for (const things of [first, second]) {
      const again = await things.post(key)
      expect([again.status, await again.text()]).toEqual([201, body])
      expect(Object.fromEntries(again.headers)).toMatchObject({
        'idempotency-replayed': 'true',
        'content-type': jsonType,
        'cache-control': 'no-store',
        location: '/things/7',
        etag: '"rev-1"',
        'x-content-type-options': 'nosniff',
      })
      expect(again.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(again.headers.get('x-request-id')).not.toBe(original.headers.get('x-request-id'))
      expect(again.headers.get('x-secret-of-this-answer')).toBeNull()
    }
    expect(first.done + second.done).toBe(1)
  })

  test('belongs to a workspace: the same key in another workspace is independent', async () => {
    const things = await openServer(mint)
    const original = await (await things.post(key)).text()
    const other = await things.post(key, '{}', { headers: { 'x-workspace': otherWorkspaceId } })
    expect(other.headers.get('idempotency-replayed')).toBeNull()
    expect(await other.text()).not.toBe(original)
    expect(things.done).toBe(2)
  })

  test('is a conflict with another body, path or query', async () => {
    const things = await openServer(mint)
    await things.post(key, '{"a":1}', { path: '/things/1?x=1' })
    for (const [body, path] of [
      ['{"a":2}', '/things/1?x=1'],
      ['{"a": 1}', '/things/1?x=1'],
      ['{"a":1}', '/things/2?x=1'],
      ['{"a":1}', '/things/1'],
    ] as const) {
      await expectError(await things.post(key, body, { path }), 'idempotency_conflict', 'another request')
    }
    expect(things.done).toBe(1)
    expect((await things.post(key, '{"a":1}', { path: '/things/1?x=1' })).status).toBe(201)
  })

  test('of many simultaneous requests through two servers is executed once', async () => {
    const gate = createGate()
    const work: RequestHandler = async (...request) => {
      await gate.opened
      await mint(...request)
    }
    const [first, second] = [await openServer(work), await openServer(work)]
    const answers = Array.from({ length: 20 }, (_, n) => [first, second][n % 2]!.post(key))
    const conflict = await first.post(key, 'another')
    await expectError(conflict, 'idempotency_conflict', 'another request')
    gate.open()
    const bodies = await Promise.all(answers.map(async (answer) => (await answer).text()))
    expect(new Set(bodies).size).toBe(1)
    const replayed = await Promise.all(
      answers.map(async (answer) => (await answer).headers.get('idempotency-replayed')),
    )
    expect(replayed.filter((header) => header === null)).toHaveLength(1)
    expect(first.done + second.done).toBe(1)
  })

  test('whose work takes longer than the maximum wait is not a conflict: the same request may be retried later', async () => {
    const gate = createGate()
    const work: RequestHandler = async (...request) => {
      await gate.opened
      await mint(...request)
    }
    const impatient = { ...times, waitMs: 100 }
    const [first, second] = [await openServer(work, { times: impatient }), await openServer(work, { times: impatient })]
    const original = first.post(key)
    while (first.done === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    for (const things of [first, second]) {
      const answer = await things.post(key)
      expect(answer.headers.get('retry-after')).toBe('5')
      await expectError(answer, 'unavailable', 'still in progress')
    }
    gate.open()
    expect((await original).status).toBe(201)
    expect(first.done + second.done).toBe(1)
  })

  test('stays claimed while the work is in progress', async () => {
    const gate = createGate()
    const work: RequestHandler = async (...request) => {
      await gate.opened
      await mint(...request)
    }
    const ttl = await open()
    const renewed = createGate()
    let renewals = 0
    const counting: TtlStore = {
      ...ttl,
      run: (...command) => {
        renewals += 1
        // Four times in the lifetime of a claim.
        if (renewals === 5) renewed.open()
        return ttl.run(...command)
      },
    }
    const [first, second] = [await openServer(work, { ttl: counting }), await openServer(mint)]
    const original = first.post(key)
    while (first.done === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const waiting = second.post(key)
    await renewed.opened
    gate.open()
    expect(await (await waiting).text()).toBe(await (await original).text())
    expect(second.done).toBe(0)
  })

  test('of a server that ended during the work is taken over by a waiting one', async () => {
    const ttl = await open()
    // It leaves behind a claim that is no longer renewed, and work that never ends.
    const silent: TtlStore = { ...ttl, run: () => new Promise(() => undefined) }
    const ended = await openServer(() => undefined, { ttl: silent })
    const hungUp = new AbortController()
    const lost = ended.post(key, '{}', { signal: hungUp.signal })
    while (ended.done === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const second = await openServer(mint)
    expect((await second.post(key)).status).toBe(201)
    expect(second.done).toBe(1)
    hungUp.abort()
    await expect(lost).rejects.toThrow('aborted')
  })

  test('keeps the response of the request that took it over, also when the first one finishes later', async () => {
    const ttl = await open()
    let reachable = false
    const run: TtlStore['run'] = async (...call) => {
      if (reachable) return ttl.run(...call)
      throw new ServiceError('unavailable', 'A store we depend on cannot be reached. Try again.')
    }
    const gate = createGate()
    const work: RequestHandler = async (...request) => {
      await gate.opened
      await mint(...request)
    }
    const [first, second] = [await openServer(work, { ttl: { ...ttl, run } }), await openServer(mint)]
    const slow = first.post(key)
    while (first.done === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const body = await (await second.post(key)).text()
    reachable = true
    gate.open()
    expect(await (await slow).text()).not.toBe(body)
    for (const things of [first, second]) expect(await (await things.post(key)).text()).toBe(body)
    expect([first.done, second.done]).toEqual([1, 1])
  })

  test('of a request that failed may be used again, also by a request that waits for it', async () => {
    const refusals = [
      new ServiceError('insufficient_credit', 'Nothing is left.'),
      new ServiceError('unavailable', 'Try again.'),
      new Error('unforeseen'),
    ]
    const gate = createGate()
    const work: RequestHandler = async (...request) => {
      await gate.opened
      const refusal = refusals.shift()
      if (refusal !== undefined) throw refusal
      await mint(...request)
    }
    const [first, second] = [await openServer(work), await openServer(work)]
    const answers = Array.from({ length: 6 }, (_, n) => [first, second][n % 2]!.post(key))
    gate.open()
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 201, 201, 402, 500, 503])
    expect(first.done + second.done).toBe(4)
  })

  test('stores only successful responses', async () => {
    const statuses = [400, 404, 304, 204]
    const work: RequestHandler = async (req, res) => {
      res.writeHead(statuses.shift() ?? 500, ['x-request-id', req.id])
      res.end()
    }
    const things = await openServer(work)
    const seen: unknown[] = []
    for (let n = 0; n < 5; n++) {
      const { status, headers } = await things.post(key)
      seen.push([status, headers.get('idempotency-replayed')])
    }
    expect(seen).toEqual([
      [400, null],
      [404, null],
      [304, null],
      [204, null],
      [204, 'true'],
    ])
  })

  test('returns the result of completed work to a client that hung up and retries', async () => {
    const gate = createGate()
    const begun = createGate()
    const work: RequestHandler = async (req, res) => {
      begun.open()
      await gate.opened
      if (!res.closed) await once(res, 'close')
      sendCreated(req, res, { token })
    }
    const things = await openServer(work)
    const caller = new AbortController()
    const lost = things.post(key, '{}', { signal: caller.signal })
    await begun.opened
    caller.abort()
    await expect(lost).rejects.toThrow('aborted')
    gate.open()
    const again = await things.post(key)
    expect([again.status, await again.json()]).toEqual([201, { token }])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(things.done).toBe(1)
  })

  test.each(['', 'x'.repeat(256), 'zwölf', 'tab\there'])('%j is refused', async (wrong) => {
    const things = await openServer(mint)
    const answer = await things.post(wrong)
    await expectError(answer, 'invalid_request', 'Idempotency-Key')
    expect(things.done).toBe(0)
  })

  test.each(['x', ' ~ ', 'x'.repeat(255), '"quoted", and more'])('%j is accepted', async (right) => {
    const things = await openServer(mint)
    expect((await things.post(right)).status).toBe(201)
  })
})
