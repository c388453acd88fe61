import { randomUUID } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { addToOutbox, type OutboxEvent, startOutboxRelay } from '@parlance/clients/outbox'
import { type Database, openPostgresDatabase } from '@parlance/store'
import { describeWithPrograms, startPostgresServer, type TestServer } from '@parlance/testing'

/** The table as the services create it. */
const migration = new URL('../../../services/agents/migrations/002-outbox.sql', import.meta.url)

describeWithPrograms(['postgres'], 'the outbox', () => {
  let server: TestServer
  let folder: string
  let database: Database
  let relays: ReturnType<typeof startOutboxRelay>[]
  let warnings: number
  const destination = 'elsewhere'
  const workspaceId = randomUUID()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-outbox-'))
    await copyFile(migration, join(folder, '001-outbox.sql'))
    server = await startPostgresServer()
    database = await openPostgresDatabase({ url: server.url, schema: 'sender', migrations: pathToFileURL(folder) })
  })
  afterAll(async () => {
    await database.close()
    await server.stop()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => {
    relays = []
    warnings = 0
  })
  afterEach(async () => {
    await Promise.all(relays.map((relay) => relay.stop()))
  })

  const add = (payload: object, to = destination) =>
    database.inWorkspace(workspaceId, (transaction) =>
      addToOutbox(transaction, { workspaceId, destination: to, payload }),
    )
  const left = async () => {
    const rows = await database.acrossWorkspaces((transaction) => transaction.query('select from outbox'))
    return rows.length
  }
  const relay = (send: (events: readonly OutboxEvent[]) => Promise<unknown>) => {
    const logger = {
      warn() {
        warnings += 1
      },
    }
    relays.push(startOutboxRelay({ database, destination, send, logger, intervalMs: 10 }))
  }
  /** Receives `count` events, also over several batches. */
  const receive = (count: number) => {
    const received: OutboxEvent[] = []
    const all = new Promise<OutboxEvent[]>((resolve) => {
      relay(async (events) => {
        received.push(...events)
        if (received.length >= count) resolve(received)
      })
    })
    return { received, all }
  }

  test('sends what was committed, in order, with its workspace, and leaves nothing behind', async () => {
    for (let index = 0; index < 3; index += 1) await add({ index })
    const events = await receive(3).all
    expect(events).toMatchObject([0, 1, 2].map((index) => ({ workspaceId, payload: { index } })))
    await relays[0]!.stop()
    expect(await left()).toBe(0)
  })

  test('never sends events that were rolled back or are for another destination', async () => {
    const lost = database.inWorkspace(workspaceId, async (transaction) => {
      await addToOutbox(transaction, { workspaceId, destination, payload: { lost: true } })
      throw new Error('the process ends here')
    })
    await expect(lost).rejects.toThrow('the process ends here')
    await add({ other: true }, 'another')
    await add({ kept: true })
    const { received, all } = receive(1)
    await all
    await relays[0]!.stop()
    expect(received.map(({ payload }) => payload)).toEqual([{ kept: true }])
    await database.acrossWorkspaces((transaction) => transaction.query('delete from outbox'))
  })

  test('sends events again, with the same ids, when the sender ends before it can remove them', async () => {
    for (let index = 0; index < 3; index += 1) await add({ index })
    const attempts: string[][] = []
    const done = new Promise<void>((resolve) => {
      relay(async (events) => {
        attempts.push(events.map(({ id }) => id))
        if (attempts.length < 3) throw new Error('the connection broke after the receiver had them')
        resolve()
      })
    })
    await done
    await relays[0]!.stop()
    expect(attempts[0]).toHaveLength(3)
    expect(attempts).toEqual([attempts[0], attempts[0], attempts[0]])
    expect(warnings).toBe(2)
    expect(await left()).toBe(0)
  })

  test('waits longer after each failure, so that an absent service is not called every second', async () => {
    await add({ index: 0 })
    const times: number[] = []
    await new Promise<void>((resolve) => {
      relay(async () => {
        times.push(performance.now())
        if (times.length < 6) throw new Error('there is no receiver')
        resolve()
      })
    })
    await relays[0]!.stop()
    // Half of 20, 40, 80, 160 and 320 ms, since the waits are random by a half. Timers are never early by more than 1 ms.
    expect(times[5]! - times[0]!).toBeGreaterThan(300)
  })

  test('sends each event once when several processes send at the same time', async () => {
    const count = 250
    const payloads = Array.from({ length: count }, (_, index) => ({ index }))
    await database.inWorkspace(workspaceId, async (transaction) => {
      for (const payload of payloads) await addToOutbox(transaction, { workspaceId, destination, payload })
    })
    const received: OutboxEvent[] = []
    await new Promise<void>((resolve) => {
      for (let index = 0; index < 3; index += 1) {
        relay(async (events) => {
          received.push(...events)
          if (received.length >= count) resolve()
        })
      }
    })
    await Promise.all(relays.map((one) => one.stop()))
    expect(new Set(received.map(({ id }) => id)).size).toBe(count)
    expect(received).toHaveLength(count)
  })

  test('shows its rows only in their workspace', async () => {
    await add({ mine: true }, 'another')
    const inOther = await database.inWorkspace(randomUUID(), (transaction) => transaction.query('select from outbox'))
    expect(inOther).toEqual([])
    expect(await database.query('select from outbox')).toEqual([])
    expect(await left()).toBe(1)
  })
})
