import { connectRedisTtlStore, createMemoryTtlStore, type TtlStore } from '@parlance/store'
import { describeWithPrograms, startRedisServer, type TestServer } from '@parlance/testing'

/** Runs a suite about two gateways over every kind of shared store. `open` connects each gateway to the store. */
export const describeSharedStores = (name: string, suite: (open: () => Promise<TtlStore>) => void): void => {
  describe(`${name}, in memory`, () => {
    let store: TtlStore
    beforeAll(() => {
      store = createMemoryTtlStore()
    })
    afterAll(() => store.close())
    suite(async () => store)
  })

  describeWithPrograms(['redis'], `${name}, in Redis`, () => {
    let server: TestServer
    const connected: TtlStore[] = []
    beforeAll(async () => {
      server = await startRedisServer()
    })
    afterAll(async () => {
      for (const store of connected) await store.close()
      await server.stop()
    })
    suite(async () => {
      const store = await connectRedisTtlStore({ url: server.url })
      connected.push(store)
      return store
    })
  })
}
