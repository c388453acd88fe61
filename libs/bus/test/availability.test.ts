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

  test('gets no more calls until it joins again; the others get all of them', async () => {
    const [one] = await Promise.all([serveAs('one'), serveAs('two')])
    expect(await cookMany(100)).toEqual(new Set(['one', 'two']))
    one.setAvailable(false)
    await pair.callee.flush()
    expect(await cookMany(100)).toEqual(new Set(['two']))
    one.setAvailable(true)
    await pair.callee.flush()
    expect(await cookMany(100)).toEqual(new Set(['one', 'two']))
  })

  test('makes calls fail at once with no-responders when it was the last one', async () => {
    const served = [await serveAs('one'), await serveAs('two')]
    for (const each of served) each.setAvailable(false)
    await pair.callee.flush()
    const failure: unknown = await cook().catch((error) => error)
    expect(failure).toMatchObject({ code: 'unavailable' })
    expect(missingReplyOf(failure)).toBe('no-responders')
  })

  test('still answers requests that address it', async () => {
    const one = await serveAs('one')
    one.setAvailable(false)
    await pair.callee.flush()
    expect(await cook('x', 'one')).toBe('one')
  })

  test('loses no call, however often it leaves and joins', async () => {
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

  test('may leave and join twice: the second time has no effect', async () => {
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

  test('answers the calls in progress when it stops, and does not join again', async () => {
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
