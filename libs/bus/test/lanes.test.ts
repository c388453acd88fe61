import { iterate } from '@parlance/async/push-stream'
import { createClient, missingReplyOf, type ServedContract, serve } from '../src/index.js'
import type { BusPair } from './buses.js'
import { describeBuses, kitchen } from './buses.js'

describeBuses('a contract that is served in lanes', (open) => {
  let pair: BusPair
  beforeEach(async () => {
    pair = await open()
  })
  afterEach(() => pair.close())

  const serveIn = (lane: string | undefined, instanceId: string): Promise<ServedContract> =>
    serve(
      pair.callee,
      kitchen,
      {
        cook: () => ({ served: `${lane} ${instanceId}` }),
        async *courses() {
          yield { course: lane?.length ?? 0 }
        },
      },
      { instanceId, ...(lane === undefined ? {} : { lane }) },
    )
  const cook = async (options: { lane?: string; instance?: string }) =>
    (await createClient(pair.caller, kitchen).cook({ dish: 'x' }, options)).served
  const cookMany = async (options: { lane?: string }) =>
    new Set(await Promise.all(Array.from({ length: 60 }, () => cook(options))))

  test('a call or stream reaches only the instances in its lane', async () => {
    await Promise.all([serveIn('grill', 'one'), serveIn('grill', 'two'), serveIn('oven', 'one')])
    expect(await cookMany({ lane: 'grill' })).toEqual(new Set(['grill one', 'grill two']))
    expect(await cookMany({ lane: 'oven' })).toEqual(new Set(['oven one']))
    const received: unknown[] = []
    for await (const course of iterate(createClient(pair.caller, kitchen).courses({ count: 1 }, { lane: 'oven' }))) {
      received.push(course)
    }
    expect(received).toEqual([{ course: 'oven'.length }])
  })

  test('a lane leaves only its own queue group, and still answers requests that address its instance', async () => {
    const [grill] = await Promise.all([serveIn('grill', 'one'), serveIn('oven', 'one')])
    grill.setAvailable(false)
    await pair.callee.flush()
    expect(missingReplyOf(await cook({ lane: 'grill' }).catch((error: unknown) => error))).toBe('no-responders')
    expect(await cook({ lane: 'grill', instance: 'one' })).toBe('grill one')
    expect(await cook({ lane: 'oven' })).toBe('oven one')
  })

  test('a call without a lane reaches no lane, and a call to a lane reaches no instance without one', async () => {
    await serveIn('grill', 'one')
    expect(missingReplyOf(await cook({}).catch((error: unknown) => error))).toBe('no-responders')
    await serveIn(undefined, 'two')
    expect(await cookMany({})).toEqual(new Set(['undefined two']))
    expect(await cookMany({ lane: 'grill' })).toEqual(new Set(['grill one']))
  })

  test('the NATS tools show each lane of an instance as a service with its own subjects', async () => {
    await Promise.all([serveIn('grill', 'one'), serveIn('oven', 'one')])
    const inbox = pair.caller.inbox()
    const info = await new Promise<object>((resolve) => {
      pair.caller.subscribe(inbox, ({ data }) => resolve(JSON.parse(Buffer.from(data).toString())))
      pair.caller.publish('$SRV.INFO.kitchen.one-oven', new Uint8Array(0), { reply: inbox })
    })
    expect(info).toMatchObject({
      id: 'one-oven',
      endpoints: [
        { name: 'cook', subject: 'parlance.kitchen.cook.oven', queue_group: 'kitchen.oven' },
        { name: 'courses', subject: 'parlance.kitchen.courses.oven', queue_group: 'kitchen.oven' },
      ],
    })
  })
})
