import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Database, openPostgresDatabase, removeInBatches, startSweep } from '@parlance/store'
import { describeWithPrograms, startPostgresServer, type TestServer } from '@parlance/testing'

describeWithPrograms(['postgres'], 'rows that are removed in batches', () => {
  let server: TestServer
  let database: Database
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-migrations-'))
    await writeFile(
      join(folder, '001-note.sql'),
      'create table note (n integer primary key); create table line (n integer references note on delete cascade);',
    )
    server = await startPostgresServer()
    database = await openPostgresDatabase({ url: server.url, schema: 'notes', migrations: pathToFileURL(folder) })
  })
  afterAll(async () => {
    await database.close()
    await server.stop()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => database.query('delete from note; insert into note select generate_series(1, 5500)'))

  const remaining = async () => Number((await database.query<{ count: string }>('select count(*) from note'))[0]!.count)
  const upTo = (n: number) => ({ from: 'note o', where: 'o.n <= $1', parameters: [n] })

  test('are all removed, by statements that remove a few rows each', async () => {
    const sizes: number[] = []
    const counted: Pick<Database, 'acrossWorkspaces'> = {
      acrossWorkspaces: (work) =>
        database.acrossWorkspaces(async (transaction) => {
          const removed = await work(transaction)
          sizes.push((removed as unknown[]).length)
          return removed
        }),
    }
    expect(await removeInBatches(counted, upTo(5_000))).toBe(5_000)
    expect(await remaining()).toBe(500)
    expect(sizes.length).toBeGreaterThan(3)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000)
  })

  test('are left when another transaction has locked them, and do not wait for it', async () => {
    await database.transaction(async (transaction) => {
      await transaction.query('select from note where n <= 10 for update')
      expect(await removeInBatches(database, upTo(2_000))).toBe(1_990)
    })
    expect(await removeInBatches(database, upTo(2_000))).toBe(10)
  })

  test('are no longer removed after the signal', async () => {
    const aborted = AbortSignal.abort()
    expect(await removeInBatches(database, upTo(5_000), aborted)).toBe(0)
    expect(await remaining()).toBe(5_500)
  })
})

describe('a sweep', () => {
  test('runs once at a time, again when it was woken meanwhile, and continues after a failure', async () => {
    const failures: unknown[] = []
    const letGo: (() => void)[] = []
    let running = 0
    let most = 0
    const sweep = startSweep(
      async () => {
        most = Math.max(most, ++running)
        await new Promise<void>((resolve) => letGo.push(resolve))
        running -= 1
        throw new Error('no')
      },
      { everyMs: 60_000, onFailed: (error) => failures.push(error) },
    )
    sweep.wake()
    sweep.wake()
    sweep.wake()
    expect(letGo).toHaveLength(1)
    letGo[0]!()
    while (letGo.length < 2) await new Promise(setImmediate)
    letGo[1]!()
    while (running > 0) await new Promise(setImmediate)
    await sweep.stop()
    expect([most, letGo.length, failures.length]).toEqual([1, 2, 2])
  })

  test('runs at its interval, and has ended when it is stopped', async () => {
    let begun = 0
    let ended = 0
    let onBegun = () => {}
    const twice = new Promise<void>((resolve) => {
      onBegun = resolve
    })
    const sweep = startSweep(
      async (signal) => {
        if (++begun === 2) {
          onBegun()
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
        }
        ended += 1
      },
      { everyMs: 5, onFailed: () => {} },
    )
    await twice
    await sweep.stop()
    expect([begun, ended]).toEqual([2, 2])
  })
})
