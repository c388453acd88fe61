import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FolderInUseError, openEmbeddedPostgres } from '@parlance/store'
import { freePort } from '@parlance/testing'
import pg from 'pg'

const silent = { info() {}, warn() {}, error() {} }

const query = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows as unknown[]
  } finally {
    await client.end()
  }
}

describe('the embedded Postgres', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-embedded-'))
    await chmod(folder, 0o755)
    await mkdir(join(folder, 'closed'), { mode: 0o700 })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('keeps its rows when its owner is killed, and the next start stops the Postgres that was left running', async () => {
    const dataFolder = join(folder, 'killed')
    const built = new URL('../dist/index.js', import.meta.url).href
    const owner = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { FolderInUseError, openEmbeddedPostgres } from '${built}'
         const { url } = await openEmbeddedPostgres({ dataFolder: '${dataFolder}', logger: { info() {}, warn() {}, error() {} } })
         console.log(url)
         setInterval(() => {}, 1000)`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const url = String((await once(owner.stdout, 'data'))[0]).trim()
    await query(url, 'create table note as select generate_series(1, 1000) as n')
    await expect(openEmbeddedPostgres({ dataFolder, logger: silent })).rejects.toThrow('is in use by another process')

    owner.kill('SIGKILL')
    await once(owner, 'exit')
    const orphan = Number((await readFile(join(dataFolder, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
    expect(() => process.kill(orphan, 0)).not.toThrow()

    const next = await openEmbeddedPostgres({ dataFolder, logger: silent })
    expect(() => process.kill(orphan, 0)).toThrow()
    expect(await query(next.url, 'select count(*)::int as count from note')).toEqual([{ count: 1000 }])
    await next.stop()

    // A pid file left by a crash, whose pid now belongs to another process of the test.
    await writeFile(join(dataFolder, 'data', 'postmaster.pid'), `${process.pid}\n${dataFolder}/data\n0\n1\n`)
    const third = await openEmbeddedPostgres({ dataFolder, logger: silent })
    expect(await query(third.url, 'select count(*)::int as count from note')).toEqual([{ count: 1000 }])
    await third.stop()
    await expect(query(third.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
    expect(await readdir(dataFolder)).toEqual(['data', 'password'])

    await writeFile(join(dataFolder, 'data', 'PG_VERSION'), '12\n')
    await expect(openEmbeddedPostgres({ dataFolder, logger: silent })).rejects.toThrow(
      /^The data in .* was written by Postgres 12, but this is Postgres 18\./,
    )
  })

  test('of several starts at the same time one succeeds, and the others report that the folder is in use', async () => {
    const dataFolder = join(folder, 'at-once')
    await (await openEmbeddedPostgres({ dataFolder, logger: silent })).stop()
    const opened = await Promise.allSettled(
      Array.from({ length: 4 }, () => openEmbeddedPostgres({ dataFolder, logger: silent })),
    )
    const owners = opened.filter((one) => one.status === 'fulfilled')
    expect(owners).toHaveLength(1)
    for (const one of opened) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(FolderInUseError)
    expect(await query(owners[0]!.value.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await owners[0]!.value.stop()
  })

  test('a port that another process takes before Postgres does is left to it, and another port is used', async () => {
    const silentSockets: Socket[] = []
    const taken = createServer((socket) => silentSockets.push(socket)).listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const free = await freePort()
    const dataFolder = join(folder, 'raced')
    const choices = [port, port, free]
    const postgres = await openEmbeddedPostgres({
      dataFolder,
      logger: silent,
      choosePort: async () => choices.shift()!,
    })
    expect(new URL(postgres.url).port).toBe(String(free))
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await postgres.stop()

    await expect(openEmbeddedPostgres({ dataFolder, logger: silent, choosePort: async () => port })).rejects.toThrow(
      /^The embedded Postgres did not start: 5 free ports /,
    )
    for (const socket of silentSockets) socket.destroy()
    taken.close()
  })

  test('a data folder that is a file is reported in one line', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    await expect(openEmbeddedPostgres({ dataFolder: file, logger: silent })).rejects.toThrow(
      /^The data folder .*file cannot be used: /,
    )
  })

  test('runs in a folder that no other user may enter, and reports damaged data with one line', async () => {
    const dataFolder = join(folder, 'closed', 'damaged')
    const postgres = await openEmbeddedPostgres({ dataFolder, logger: silent })
    await postgres.stop()
    await rm(join(dataFolder, 'data', 'global', 'pg_control'))
    await expect(openEmbeddedPostgres({ dataFolder, logger: silent })).rejects.toThrow(
      /^The embedded Postgres did not start: .*pg_control/,
    )
  })
})
