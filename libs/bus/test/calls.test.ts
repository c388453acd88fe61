import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '@parlance/contracts'
import type { Handlers } from '../src/index.js'
import { createClient, serve } from '../src/index.js'
import type { BusPair } from './buses.js'
import { describeBuses, kitchen, newInstanceId, signalled } from './buses.js'

const noCourses: Pick<Handlers<typeof kitchen>, 'courses'> = {
  async *courses() {},
}

describeBuses('a call', (open) => {
  let pair: BusPair
  beforeEach(async () => {
    pair = await open()
  })
  afterEach(() => pair.close())

  const serveCook = (cook: Handlers<typeof kitchen>['cook'], options: object = {}) =>
    serve(pair.callee, kitchen, { cook, ...noCourses }, { instanceId: newInstanceId(), ...options })
  const client = () => createClient(pair.caller, kitchen)

  test('resolves with the reply of the handler', async () => {
    await serveCook(({ dish }) => ({ served: dish.toUpperCase() }))
    await expect(client().cook({ dish: 'soup' })).resolves.toEqual({ served: 'SOUP' })
  })

  test('a thousand calls at once each get their own reply', async () => {
    await serveCook(async ({ dish }) => {
      await delay(Math.random() * 5)
      return { served: dish }
    })
    const dishes = Array.from({ length: 1000 }, (_, i) => `dish ${i}`)
    const answers = await Promise.all(dishes.map((dish) => client().cook({ dish })))
    expect(answers.map(({ served }) => served)).toEqual(dishes)
  })

  test('the raw bytes of a reply are not changed', async () => {
    const reply = Buffer.from('{"served": "as it is" }')
    await serveCook(() => reply)
    expect(Buffer.from(await client().raw.cook({ dish: 'x' })).toString()).toBe(reply.toString())
  })

  test('a declared error arrives with its code and detail, including line ends', async () => {
    await serveCook((_, { fail }) => fail('not_found', 'No such dish.\nTry “Klöße”.'))
    await expect(client().cook({ dish: 'x' })).rejects.toMatchObject({
      code: 'not_found',
      detail: 'No such dish.\nTry “Klöße”.',
    })
  })

  test('an undeclared error is internal_error for the caller and complete in the log', async () => {
    const logged: unknown[] = []
    const logger = { error: (fields: object) => logged.push(fields) }
    const secret = new Error('password is hunter2')
    await serveCook(
      () => {
        throw secret
      },
      { logger },
    )
    const failure = await client()
      .cook({ dish: 'x' })
      .catch((error: ServiceError) => error)
    expect(failure).toMatchObject({ code: 'internal_error' })
    expect(JSON.stringify(failure)).not.toContain('hunter2')
    expect(logged).toEqual([expect.objectContaining({ err: secret })])
  })

  test('a code that the method does not declare does not reach the caller', async () => {
    await serveCook(() => {
      throw new ServiceError('slug_taken', 'not ours')
    })
    await expect(client().cook({ dish: 'x' })).rejects.toMatchObject({ code: 'internal_error' })
  })

  test('a request that breaks the contract is refused, naming the field', async () => {
    await serveCook(() => ({ served: '' }))
    await expect(client().cook({ dish: '' })).rejects.toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining('dish'),
    })
    await expect(client().cook({ dish: 'x', extra: 1 } as never)).rejects.toMatchObject({
      detail: expect.stringContaining('extra'),
    })
  })

  test('a caller of a later version is served without the fields that this version lacks', async () => {
    await serveCook(({ dish }) => ({ served: dish }))
    const callerOf = (version: string) => createClient(pair.caller, { ...kitchen, version })
    const request = { dish: 'soup', spices: ['salt'] }
    await expect(callerOf('1.3.0').cook(request)).resolves.toEqual({ served: 'soup' })
    await expect(callerOf('2.0.0').cook({ ...request, dish: '' })).rejects.toMatchObject({ code: 'invalid_request' })
    for (const version of ['1.2.3', '1.2.2', '1.1.9', 'later'])
      await expect(callerOf(version).cook(request)).rejects.toMatchObject({ detail: expect.stringContaining('spices') })
  })

  test.each([
    ['a body that is not JSON', 'soup?', {}],
    ['an empty body', '', {}],
    ['invalid headers', '{"dish":""}', { 'x-deadline-ms': 'soon', 'x-window': '-1', traceparent: '?' }],
  ])('%s sent by hand is refused as invalid_request', async (_, body, headers) => {
    await serveCook(() => ({ served: '' }))
    const answer = signalled<object>()
    const inbox = pair.caller.inbox()
    pair.caller.subscribe(inbox, ({ data }) => answer.resolve(JSON.parse(Buffer.from(data).toString())))
    await pair.caller.flush()
    pair.caller.publish('parlance.kitchen.cook', Buffer.from(body), { reply: inbox, headers })
    await expect(answer.promise).resolves.toMatchObject({ code: 'invalid_request' })
  })

  test('a call that no instance serves fails at once as unavailable', async () => {
    await expect(client().cook({ dish: 'x' }, { deadlineMs: 60_000 })).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('a reply that misses the deadline is upstream_timeout, and the handler is aborted', async () => {
    const aborted = signalled()
    const callerGone = signalled()
    await serveCook(async (_, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve())
      await callerGone.promise
      return { served: 'too late' }
    })
    await expect(client().cook({ dish: 'x' }, { deadlineMs: 100 })).rejects.toMatchObject({ code: 'upstream_timeout' })
    await aborted.promise
    callerGone.resolve()
  })

  test('an abort rejects the call at once, with its reason', async () => {
    const never = signalled<never>()
    await serveCook(() => never.promise)
    const controller = new AbortController()
    const waiting = client().cook({ dish: 'x' }, { signal: controller.signal })
    const reason = new Error('changed my mind')
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await expect(client().cook({ dish: 'x' }, { signal: controller.signal })).rejects.toBe(reason)
  })

  test('request id, trace context and deadline reach the handler', async () => {
    const context = {
      requestId: 'request-1234',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    }
    const seen = signalled<object>()
    await serveCook((_, { context, deadlineMs }) => {
      seen.resolve({ context, deadlineMs })
      return { served: '' }
    })
    await client().cook({ dish: 'x' }, { context, deadlineMs: 1234 })
    expect(await seen.promise).toEqual({ context, deadlineMs: 1234 })
  })

  test('a call can be addressed to one instance', async () => {
    const served: string[] = []
    for (const instanceId of ['one', 'two', 'three']) {
      await serve(
        pair.callee,
        kitchen,
        {
          cook: () => {
            served.push(instanceId)
            return { served: instanceId }
          },
          ...noCourses,
        },
        { instanceId },
      )
    }
    for (let i = 0; i < 10; i++) await client().cook({ dish: 'x' }, { instance: 'two' })
    expect(served).toEqual(Array(10).fill('two'))
    await expect(client().cook({ dish: 'x' }, { instance: 'four' })).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('a service that stops answers the calls in progress and accepts no more', async () => {
    const arrived = signalled()
    const go = signalled()
    const served = await serveCook(async () => {
      arrived.resolve()
      await go.promise
      return { served: 'finished' }
    })
    const running = client().cook({ dish: 'x' })
    await arrived.promise
    const stopped = served.stop()
    await pair.callee.flush()
    await pair.caller.flush()
    await expect(client().cook({ dish: 'y' })).rejects.toMatchObject({ code: 'unavailable' })
    go.resolve()
    await expect(running).resolves.toEqual({ served: 'finished' })
    await stopped
  })

  test('every answered call is counted with its code', async () => {
    const counted: unknown[] = []
    const metrics = { busCall: (...fields: unknown[]) => counted.push(fields.slice(0, 3)) }
    await serveCook(({ dish }, { fail }) => (dish === 'x' ? fail('not_found', 'no') : { served: dish }), { metrics })
    await client().cook({ dish: 'soup' })
    await client()
      .cook({ dish: 'x' })
      .catch(() => undefined)
    expect(counted).toEqual([
      ['kitchen', 'cook', 'ok'],
      ['kitchen', 'cook', 'not_found'],
    ])
  })

  test('an event reaches all subscribers, and one that breaks the contract reaches none', async () => {
    const received: number[] = []
    const both = signalled()
    const listen = ({ table }: { table: number }) => {
      received.push(table)
      if (received.length === 2) both.resolve()
    }
    client().bell.subscribe(listen)
    createClient(pair.callee, kitchen).bell.subscribe(listen)
    await pair.caller.flush()
    await pair.callee.flush()
    pair.caller.publish('parlance.kitchen.bell', Buffer.from('{"table":"one"}'))
    pair.caller.publish('parlance.kitchen.bell', Buffer.from('not json'))
    client().bell.publish({ table: 7 })
    await both.promise
    expect(received).toEqual([7, 7])
  })
})
