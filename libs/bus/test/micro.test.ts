import { createClient, serve } from '../src/index.js'
import type { BusPair } from './buses.js'
import { describeBuses, kitchen } from './buses.js'

describeBuses('$SRV, as the NATS tools ask it', (open) => {
  let pair: BusPair
  beforeEach(async () => {
    pair = await open()
    for (const instanceId of ['one', 'two']) {
      await serve(
        pair.callee,
        kitchen,
        {
          cook: ({ dish }, { fail }) => (dish === 'x' ? fail('not_found', 'No such dish.') : { served: dish }),
          async *courses() {},
        },
        { instanceId, metadata: { region: 'here' } },
      )
    }
  })
  afterEach(() => pair.close())

  /** All replies to a request, as a tool collects them. */
  const ask = (subject: string, answers: number) =>
    new Promise<Record<string, unknown>[]>((resolve) => {
      const got: Record<string, unknown>[] = []
      const inbox = pair.caller.inbox()
      pair.caller.subscribe(inbox, ({ data }) => {
        got.push(JSON.parse(Buffer.from(data).toString()))
        if (got.length === answers) resolve(got.sort((a, b) => String(a.id).localeCompare(String(b.id))))
      })
      pair.caller.publish(subject, new Uint8Array(0), { reply: inbox })
    })

  test('PING reaches every instance, without a name, by name and by id', async () => {
    const [one, two] = await ask('$SRV.PING', 2)
    expect(one).toEqual({
      type: 'io.nats.micro.v1.ping_response',
      name: 'kitchen',
      id: 'one',
      version: '1.2.3',
      metadata: { region: 'here' },
    })
    expect(two).toMatchObject({ id: 'two' })
    await expect(ask('$SRV.PING.kitchen', 2)).resolves.toHaveLength(2)
    await expect(ask('$SRV.PING.kitchen.two', 1)).resolves.toMatchObject([{ id: 'two' }])
  })

  test('INFO names the endpoints with their subjects', async () => {
    const [info] = await ask('$SRV.INFO.kitchen.one', 1)
    expect(info).toMatchObject({
      type: 'io.nats.micro.v1.info_response',
      description: 'For tests',
      endpoints: [
        { name: 'cook', subject: 'parlance.kitchen.cook', queue_group: 'kitchen' },
        { name: 'courses', subject: 'parlance.kitchen.courses', queue_group: 'kitchen' },
      ],
    })
  })

  test('STATS count requests, errors and time', async () => {
    const client = createClient(pair.caller, kitchen)
    await client.cook({ dish: 'soup' }, { instance: 'one' })
    await client.cook({ dish: 'x' }, { instance: 'one' }).catch(() => undefined)
    const [stats] = await ask('$SRV.STATS.kitchen.one', 1)
    expect(stats).toMatchObject({ type: 'io.nats.micro.v1.stats_response', started: expect.any(String) })
    const [cook] = stats!.endpoints as [Record<string, unknown>]
    expect(cook).toMatchObject({ num_requests: 2, num_errors: 1, last_error: 'not_found' })
    expect(Number.isInteger(cook.processing_time)).toBe(true)
    expect(cook.average_processing_time).toBeGreaterThan(0)
  })
})
