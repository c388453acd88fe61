import { randomUUID } from 'node:crypto'
import { type Bus, connectNatsBus, createClient, createInProcessBus, type ServedContract, serve } from '@parlance/bus'
import { createKeyWatch, type KeyWatch, type WatchedKey } from '@parlance/clients/api-key'
import { authContract, contract, type EndedKey, maxWatchedKeys, type ServiceError } from '@parlance/contracts'
import { describeWithPrograms, startNatsServer } from '@parlance/testing'
import { vi } from 'vitest'

const { findEndedKeys, standingChanged } = authContract.methods
const partOfAuth = contract({ ...authContract, methods: { findEndedKeys, standingChanged } })

const newKey = (): WatchedKey => ({ workspace_id: randomUUID(), key_id: randomUUID() })

/** Two watches, as two replicas have them; the second one receives no announcement. */
const endsKeys = (open: () => Promise<{ bus: Bus; close(): Promise<void> }>): void => {
  let opened: Awaited<ReturnType<typeof open>>
  let served: ServedContract
  let ended: EndedKey[]
  let asked: string[][]
  let failing: boolean
  let failures: unknown[]
  let watches: KeyWatch[]

  beforeEach(async () => {
    ended = []
    asked = []
    failures = []
    failing = false
    opened = await open()
    served = await serve(
      opened.bus,
      partOfAuth,
      {
        findEndedKeys({ key_ids }) {
          asked.push(key_ids)
          if (failing) throw new Error('out of order')
          return { ended: ended.filter(({ key_id }) => key_ids.includes(key_id)) }
        },
      },
      { instanceId: 'auth' },
    )
    const auth = createClient(opened.bus, authContract)
    const deaf = { ...auth, standingChanged: { ...auth.standingChanged, subscribe: () => nothingReceived } }
    watches = [auth, deaf].map((client) =>
      createKeyWatch({ auth: client, onFailure: (error) => void failures.push(error) }),
    )
    await opened.bus.flush()
  })
  afterEach(async () => {
    for (const watch of watches) await watch.stop()
    await served.stop()
    await opened.close()
  })

  const announce = ({ workspace_id }: WatchedKey) =>
    createClient(opened.bus, authContract).standingChanged.publish({ workspace_id })
  const endOf = (watch: KeyWatch, key: WatchedKey) =>
    new Promise<ServiceError['code']>((resolve) => watch.add(key, ({ code }) => resolve(code)))

  test('ends everything that a key has opened, with or without the announcement', async () => {
    const [revoked, suspended, good] = [newKey(), newKey(), newKey()]
    const ends = watches.flatMap((watch) => [endOf(watch, revoked), endOf(watch, revoked), endOf(watch, suspended)])
    const goodEnded: string[] = []
    for (const watch of watches) watch.add(good, ({ code }) => void goodEnded.push(code))
    ended.push({ ...codeOf(revoked, 'unauthorized') }, { ...codeOf(suspended, 'organization_suspended') })
    announce(revoked)
    expect(await Promise.all(ends)).toEqual(
      watches.flatMap(() => ['unauthorized', 'unauthorized', 'organization_suspended']),
    )
    expect(goodEnded).toEqual([])
  })

  test('looks up only the keys of a workspace, at once when its change is announced', async () => {
    const [revoked, other] = [newKey(), newKey()]
    const end = endOf(watches[0]!, revoked)
    watches[0]!.add(other, () => {})
    ended.push(codeOf(revoked, 'unauthorized'))
    announce(revoked)
    await end
    expect(asked[0]).toEqual([revoked.key_id])
  })

  test('repeats a failed look-up, which ends nothing', async () => {
    const key = newKey()
    let isOver = false
    const end = endOf(watches[1]!, key).then(() => {
      isOver = true
    })
    failing = true
    while (failures.length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
    expect(isOver).toBe(false)
    failing = false
    ended.push(codeOf(key, 'unauthorized'))
    await end
  })

  test('stops watching connections that ended, and splits many keys into several calls', async () => {
    const left = newKey()
    watches[1]!.add(left, () => {})()
    const keys = Array.from({ length: maxWatchedKeys + 2 }, newKey)
    for (const key of keys.slice(1)) watches[1]!.add(key, () => {})
    const end = endOf(watches[1]!, keys[0]!)
    ended.push(codeOf(keys[0]!, 'unauthorized'))
    await end
    while (asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 10))
    const first = asked.slice(0, 2).flat()
    expect(first.toSorted()).toEqual(keys.map(({ key_id }) => key_id).toSorted())
  })
}

const nothingReceived = { unsubscribe() {}, drain: async () => {} }
const codeOf = ({ key_id }: WatchedKey, code: EndedKey['code']): EndedKey => ({ key_id, code })

test('a key that has ended is found within two seconds without an announcement', async () => {
  vi.useFakeTimers()
  const found: string[] = []
  const watch = createKeyWatch({
    auth: {
      findEndedKeys: async ({ key_ids }) => ({ ended: key_ids.map((key_id) => ({ key_id, code: 'unauthorized' })) }),
      standingChanged: { publish() {}, subscribe: () => nothingReceived },
    },
    onFailure: (error) => found.push(String(error)),
  })
  watch.add(newKey(), ({ code }) => void found.push(code))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(found).toEqual(['unauthorized'])
  await watch.stop()
  vi.useRealTimers()
})

describe('a watch on keys, over the in-process bus', () =>
  endsKeys(async () => {
    const bus = createInProcessBus()
    return { bus, close: () => bus.close() }
  }))

describeWithPrograms(['nats'], 'a watch on keys, over NATS', () =>
  endsKeys(async () => {
    const server = await startNatsServer()
    const bus = await connectNatsBus({ url: server.url, name: 'test' })
    return {
      bus,
      async close() {
        await bus.close()
        await server.stop()
      },
    }
  }),
)
