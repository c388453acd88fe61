import type { ServedContract } from '../src/index.js'
import { createClient, missingReplyOf, serve } from '../src/index.js'
import type { BusPair } from './buses.js'
import { describeBuses, kitchen, signalled } from './buses.js'

describeBuses('an instance that leaves its queue group', (open) => {
  let pair: BusPair
  beforeEach(async () => {
    pair = await open()
  })
  afterEach(() => pair.close())

  const serveAs = (instanceId: string, cook = async (_dish: string) => {}): Promise<ServedContract> =>
    serve(
      pair.callee,
      kitchen,
      {
        async cook({ dish }) {
          await cook(dish)
          return { served: instanceId }
        },
        async *courses() {},
      },
      { instanceId },
    )
  const cook = async (dish = 'x', instance?: string) =>
    (await createClient(pair.caller, kitchen).cook({ dish }, instance === undefined ? {} : { instance })).served
  const cookMany = async (count: number) => new Set(await Promise.all(Array.from({ length: count }, () => cook())))

  test('gets no more calls, the others get all; coming back it gets its share again', async () => {
    const [one] = await Promise.all([serveAs('one'), serveAs('two')])
    expect(await cookMany(100)).toEqual(new Set(['one', 'two']))
    one.setAvailable(false)
    await pair.callee.flush()
    expect(await cookMany(100)).toEqual(new Set(['two']))
    one.setAvailable(true)
    await pair.callee.flush()
    expect(await cookMany(100)).toEqual(new Set(['one', 'two']))
  })

  test('when all have left, a call is told at once that nobody is there', async () => {
    const served = [await serveAs('one'), await serveAs('two')]
    for (const each of served) each.setAvailable(false)
    await pair.callee.flush()
    const failure: unknown = await cook().catch((error) => error)
    expect(failure).toMatchObject({ code: 'unavailable' })
    expect(missingReplyOf(failure)).toBe('no-responders')
  })

  test('still answers what is addressed to it', async () => {
    const one = await serveAs('one')
    one.setAvailable(false)
    await pair.callee.flush()
    expect(await cook('x', 'one')).toBe('one')
  })

  test('loses no call, however often it leaves and comes back', async () => {
    const flapping = await serveAs('one')
    await serveAs('two')
    const calls: Promise<string>[] = []
    for (let i = 0; i < 500; i++) {
      calls.push(cook(String(i)))
      flapping.setAvailable(i % 2 === 0)
      if (i % 7 === 0) await new Promise(setImmediate)
    }
    expect(await Promise.all(calls)).toHaveLength(500)
  })

  test('saying the same twice changes nothing', async () => {
    let cooked = 0
    const one = await serveAs('one', async () => {
      cooked += 1
    })
    one.setAvailable(true)
    await pair.callee.flush()
    await cook()
    expect(cooked).toBe(1)
    one.setAvailable(false)
    one.setAvailable(false)
    one.setAvailable(true)
    await pair.callee.flush()
    await cook()
    expect(cooked).toBe(2)
  })

  test('finishes what runs when it stops while away, and does not come back', async () => {
    const begun = signalled()
    const go = signalled()
    const one = await serveAs('one', async () => {
      begun.resolve()
      await go.promise
    })
    const running = cook()
    await begun.promise
    one.setAvailable(false)
    const stopped = one.stop()
    one.setAvailable(true)
    go.resolve()
    expect(await running).toBe('one')
    await stopped
    await expect(cook()).rejects.toMatchObject({ code: 'unavailable' })
  })
})
