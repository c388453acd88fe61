import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Service, startServices } from '@parlance/runtime'
import { agents } from '@parlance/service-agents'
import { auth } from '@parlance/service-auth'
import { endUsers } from '@parlance/service-end-users'
import { sessions } from '@parlance/service-sessions'
import { tokens } from '@parlance/service-tokens'
import { createLogger } from '@parlance/telemetry'
import {
  describeWithPrograms,
  freePort,
  startNatsServer,
  startPostgresServer,
  startRedisServer,
  writeToneModel,
} from '@parlance/testing'
import { createApi, expectError } from './api.js'
import { eventually } from './eventually.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const databases = ([auth, agents, tokens, endUsers, sessions] as Service[]).flatMap(
  (service) => service.databases ?? [],
)
const nobody = '0f0b9d0c-6a3c-4f43-8d0e-1c8f2f1f7f10'

/** Where commands are given: a folder, and what the shell has set. */
interface Place {
  folder: string
  environment?: Record<string, string>
}

const begin = (place: Place, args: readonly string[], program = join(root, 'cli/bin/parlance.mjs')) => {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: place.folder,
    env: { PATH: process.env.PATH, ...place.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.on('data', (text) => {
    errors += text
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output, errors }))
  return { child, ended }
}
const run = (place: Place, ...args: string[]) => begin(place, args).ended

/** What a command that succeeds says to a script. */
// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what its test is about
const ask = async (place: Place, ...args: string[]): Promise<any> => {
  const { code, output, errors } = await run(place, ...args, '--json')
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  return JSON.parse(output)
}

const expectRefusal = async (place: Place, args: string[], expected: RegExp) => {
  const { code, output, errors } = await run(place, ...args)
  expect({ code, output }).toEqual({ code: 1, output: '' })
  expect(errors).toMatch(/^error: [^\n]+\n$/)
  expect(errors).toMatch(expected)
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const childrenOf = (pid: number): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child!)

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-operator-'))
  // As root, Postgres runs under another account, which must be able to enter.
  await chmod(folder, 0o711)
  return folder
}

/** What holds wherever the services run. */
const commandsWork = (place: () => Place) => {
  test('a workspace is created with credit and a key, found again, and changed', async () => {
    const { workspace, credit, key } = await ask(
      place(),
      ...['workspace', 'create', 'Acme & Söhne', '--capability', 'tts', '--credit', '12.5', '--key', 'First'],
    )
    expect(workspace).toMatchObject({ name: 'Acme & Söhne', capabilities: ['tts'], suspended: false })
    expect(credit).toMatchObject({ balance: '12.50' })
    expect(key.key).toMatch(/^awp_(dev|prd)_[0-9A-Za-z]{38}$/)
    expect((await ask(place(), 'workspace', 'list')).workspaces).toContainEqual(workspace)
    expect(await ask(place(), 'workspace', 'suspend', workspace.id)).toEqual({ ...workspace, suspended: true })
    expect(await ask(place(), 'workspace', 'resume', workspace.id)).toEqual(workspace)
    const able = await ask(place(), 'workspace', 'capabilities', workspace.id, '--add', 'agents', '--remove', 'tts')
    expect(able.capabilities).toEqual(['agents'])
    expect(await ask(place(), 'workspace', 'show', workspace.id)).toEqual(able)
  }, 60_000)

  test('credit is granted once for a reference, and adds up', async () => {
    const { workspace } = await ask(place(), 'workspace', 'create', 'Grants')
    const grant = (amount: string) => ['credit', 'grant', workspace.id, amount, '--reference', 'invoice 17']
    expect(await ask(place(), ...grant('0.000000001'))).toMatchObject({ balance: '0.000000001', replayed: false })
    expect(await ask(place(), ...grant('0.000000001'))).toMatchObject({ balance: '0.000000001', replayed: true })
    await expectRefusal(place(), grant('5'), /reference/i)
    expect(await ask(place(), 'credit', 'show', workspace.id)).toMatchObject({ balance: '0.000000001' })
    expect((await ask(place(), 'credit', 'usage', workspace.id)).usage).toEqual([])
    const { workspaces } = await ask(place(), 'reconcile', workspace.id)
    expect(workspaces).toMatchObject([{ workspace_id: workspace.id, granted: '0.000000001' }])
    expect(await run(place(), 'reconcile')).toMatchObject({ code: 0, errors: '' })
  }, 60_000)

  test('a key is created, listed and revoked', async () => {
    const { workspace } = await ask(place(), 'workspace', 'create', 'Keys')
    const { key, ...created } = await ask(place(), 'key', 'create', workspace.id, '--label', 'Web site')
    expect((await ask(place(), 'key', 'list', workspace.id)).keys).toEqual([created])
    expect(await ask(place(), 'key', 'revoke', workspace.id, created.id)).toMatchObject({ status: 'revoked' })
    expect((await run(place(), 'key', 'list', workspace.id)).output).toMatch(/revoked +Web site$/m)
    expect(key).toContain(created.prefix)
  }, 60_000)

  test('what is not there is one line that says where to look', async () => {
    await expectRefusal(place(), ['workspace', 'show', nobody], /parlance workspace list/)
    await expectRefusal(place(), ['credit', 'grant', nobody, '5', '--reference', 'a'], /parlance workspace list/)
  }, 60_000)
}

describeWithPrograms(['nats', 'redis', 'postgres'], 'parlance over NATS', () => {
  let place: Place
  const closers: (() => Promise<unknown>)[] = []
  const addresses = { NATS_URL: '', REDIS_URL: '', DATABASE_URL: '' }

  beforeAll(async () => {
    const [nats, redis, postgres] = await Promise.all([startNatsServer(), startRedisServer(), startPostgresServer()])
    closers.push(() => Promise.all([nats.stop(), redis.stop(), postgres.stop()]))
    Object.assign(addresses, { NATS_URL: nats.url, REDIS_URL: redis.url, DATABASE_URL: postgres.url })
    const folder = await newFolder()
    closers.push(() => rm(folder, { recursive: true, force: true }))
    place = { folder, environment: { NATS_URL: nats.url, LOG_LEVEL: 'info', HEALTH_PORT: '1' } }
  }, 60_000)
  afterAll(async () => {
    for (const close of closers.reverse()) await close()
  }, 60_000)

  test('migrate brings an empty database up to date, once', async () => {
    const withDatabase = { ...place, environment: { DATABASE_URL: addresses.DATABASE_URL } }
    const first = await ask(withDatabase, 'migrate')
    const schemas = first.schemas.map(({ schema }: { schema: string }) => schema)
    expect(schemas).toEqual(databases.map(({ schema }) => schema))
    for (const { applied } of first.schemas) expect(applied[0]).toMatch(/^001-.*\.sql$/)
    const { output } = await run(withDatabase, 'migrate')
    expect(output.match(/up to date$/gm)).toHaveLength(databases.length)
  }, 60_000)

  test('migrate without a database, or with one that is away, is one line', async () => {
    await expectRefusal(place, ['migrate'], /DATABASE_URL is not set/)
    const url = `postgres://somebody:secret@127.0.0.1:${await freePort()}/parlance`
    const away = { ...place, environment: { DATABASE_URL: url } }
    await expectRefusal(away, ['migrate'], /^(?!.*secret).*127\.0\.0\.1/)
  }, 60_000)

  test('services that do not run, and a NATS that is away, are one line', async () => {
    await expectRefusal(place, ['workspace', 'list'], /auth service cannot be reached/)
    const away = { ...place, environment: { NATS_URL: `nats://127.0.0.1:${await freePort()}` } }
    await expectRefusal(away, ['workspace', 'list'], /NATS_URL/)
  }, 60_000)

  describe('with the services running', () => {
    beforeAll(async () => {
      const { stop } = await startServices([auth, tokens], {
        environment: { ...addresses, API_KEY_PEPPERS: '1:a-pepper-for-tests-only', LOG_LEVEL: 'warn' },
        logger: createLogger({ level: 'warn' }),
      })
      closers.push(stop)
    }, 60_000)
    commandsWork(() => place)
  })
})

describe('parlance beside npm start', () => {
  let place: Place
  let url: string
  let standalone: ReturnType<typeof begin>

  beforeAll(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    place = { folder: await newFolder() }
    const main = join(root, 'services/standalone/dist/main.js')
    standalone = begin({ ...place, environment: { PORT: String(port) } }, [], main)
    let said = ''
    await new Promise<void>((resolve, reject) => {
      standalone.child.stdout.on('data', (text) => {
        said += text
        if (said.includes('Ctrl-C stops it.')) resolve()
      })
      standalone.ended.then(({ errors }) => reject(new Error(`it ended: ${said}${errors}`)))
    })
  }, 60_000)
  afterAll(async () => {
    standalone.child.kill('SIGTERM')
    await standalone.ended
    await rm(place.folder, { recursive: true, force: true })
  }, 60_000)

  commandsWork(() => place)

  test('what it does is in force at once in the API that runs', async () => {
    const { workspace, key } = await ask(place, 'workspace', 'create', 'Live', '--credit', '10', '--key', 'Live')
    const api = createApi(url, `Bearer ${key.key}`)
    expect((await api.get('/v1/voices')).status).toBe(200)
    await ask(place, 'workspace', 'suspend', workspace.id)
    expectError(await api.get('/v1/voices'), 403, 'organization_suspended')
    await ask(place, 'workspace', 'resume', workspace.id)
    expect((await api.get('/v1/voices')).status).toBe(200)
    await ask(place, 'key', 'revoke', workspace.id, key.id)
    expectError(await api.get('/v1/voices'), 401, 'unauthorized')
  }, 60_000)

  test('the workspace for development has credit', async () => {
    const { workspace_id } = JSON.parse(await readFile(join(place.folder, '.parlance/dev.json'), 'utf8'))
    expect(await ask(place, 'credit', 'show', workspace_id)).toMatchObject({ balance: '1000.00' })
  })

  test('it is found from another folder through PARLANCE_DATA', async () => {
    const folder = await newFolder()
    const environment = { PARLANCE_DATA: join(place.folder, '.parlance') }
    const { workspaces } = await ask({ folder, environment }, 'workspace', 'list')
    expect(workspaces.length).toBeGreaterThan(0)
    await rm(folder, { recursive: true })
  })
})

describe('parlance models', () => {
  let place: Place
  beforeAll(async () => {
    place = { folder: await newFolder() }
    await writeToneModel(join(place.folder, 'models/tones'), { speakers: 2 })
  })
  afterAll(() => rm(place.folder, { recursive: true }))

  test('list and verify find what is there, and a model really speaks', async () => {
    const [listed] = (await ask(place, 'models', 'list')).models
    expect(listed).toMatchObject({
      name: 'tones',
      kind: 'tts',
      architecture: 'vits',
      languages: ['en'],
      sample_rate: 16_000,
      files: [],
      problems: [],
    })
    const [verified] = (await ask(place, 'models', 'verify')).models
    expect(verified).toMatchObject({ ...listed, audio_ms: expect.any(Number), memory_mb: expect.any(Number) })
    expect((await run(place, 'models', 'verify', 'tones', '--threads', '1')).output).toMatch(/tones .*Loaded in .* s/)
  })

  test('verify survives a model that ends the process it is loaded in, and tells its last words', async () => {
    const folder = join(place.folder, 'others')
    await writeToneModel(join(folder, 'old'), { metadata: { comment: 'melo' } })
    expect((await run(place, 'models', 'list', '--models-dir', folder)).code).toBe(0)
    const { code, output } = await run(place, 'models', 'verify', '--models-dir', folder)
    expect({ code, output }).toEqual({ code: 2, output: expect.stringMatching(/old .*Refused: .*MeloTTS/) })
  })

  test('the catalogue is searched, and a download that fails is one line and leaves no model', async () => {
    const { models } = await ask(place, 'models', 'search', '--language', 'en-US', '--license', 'permissive')
    expect(models).toContainEqual(expect.objectContaining({ name: 'en_US-joe-medium', license: 'CC0' }))
    const mirror = createServer((_request, response) => response.writeHead(404).end())
    await new Promise<void>((resolve) => mirror.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`
    const folder = join(place.folder, 'none')
    const { code, output, errors } = await run(
      { ...place, environment: { PARLANCE_MODELS_MIRROR: url } },
      ...['models', 'install', 'en_US-joe-medium', '--accept-license', '--models-dir', folder],
    )
    expect({ code, output }).toEqual({ code: 1, output: '' })
    expect(errors.split('\n').filter((line) => line.startsWith('error:'))).toEqual([
      `error: There is no file any more at ${url}/en_US-joe-medium.onnx.json (HTTP 404).`,
    ])
    expect((await ask(place, 'models', 'list', '--models-dir', folder)).models).toEqual([])
    await new Promise((resolve) => mirror.close(resolve))
  })

  test('an imported model is listed, verified with its files, and removed', async () => {
    const folder = join(place.folder, 'imported')
    await ask(place, 'models', 'import', join(place.folder, 'models/tones'), '--models-dir', folder, '--name', 'copy')
    expect((await ask(place, 'models', 'verify', '--models-dir', folder)).models).toMatchObject([
      { name: 'copy', problems: [], audio_ms: expect.any(Number) },
    ])
    await appendFile(join(folder, 'copy/lexicon.txt'), 'red R EH D\n')
    const { code, output } = await run(place, 'models', 'verify', '--models-dir', folder)
    expect({ code, output }).toEqual({ code: 2, output: expect.stringMatching(/lexicon\.txt was changed since/) })
    await ask(place, 'models', 'remove', 'copy', '--models-dir', folder)
    expect((await ask(place, 'models', 'list', '--models-dir', folder)).models).toEqual([])
  })

  test('a folder that is not there is one line', () =>
    expectRefusal(place, ['models', 'list', '--models-dir', 'nowhere'], /There is no folder nowhere/))

  test('Ctrl-C leaves a model that takes its time', async () => {
    const folder = join(place.folder, 'slow')
    await writeToneModel(join(folder, 'slow'), { work: 3000 })
    const { child, ended } = begin(place, ['models', 'verify', '--models-dir', folder])
    const loading = await eventually(() => childrenOf(child.pid!)[0])
    child.kill('SIGINT')
    expect(await ended).toEqual({ code: 130, output: '', errors: '' })
    await eventually(() => !isRunning(loading) || undefined)
  }, 60_000)
})

describe('parlance where nothing runs', () => {
  let place: Place
  beforeAll(async () => {
    place = { folder: await newFolder() }
    const { code, output, errors } = await run(place, 'workspace', 'list')
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('There is no workspace yet') })
    expect(errors).toMatch(/^Parlance was never started here: making \S+\.parlance for its data\.\n$/)
  }, 60_000)
  afterAll(() => rm(place.folder, { recursive: true, force: true }))

  // Each command starts and ends a database: that they work is shown where one runs.
  test('what a command has done is there for the next one', async () => {
    const { workspace } = await ask(place, 'workspace', 'create', 'Acme', '--credit', '12.5', '--key', 'First')
    expect((await ask(place, 'workspace', 'list')).workspaces).toContainEqual(workspace)
    expect(await ask(place, 'credit', 'show', workspace.id)).toMatchObject({ balance: '12.50' })
    await expectRefusal(place, ['workspace', 'show', nobody], /parlance workspace list/)
  }, 60_000)

  const database = async () => {
    const file = join(place.folder, '.parlance/postgres/data/postmaster.pid')
    const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0])
    return pid > 0 ? pid : undefined
  }

  test('nothing runs afterwards', async () => {
    await run(place, 'workspace', 'list')
    expect(await database()).toBeUndefined()
  })

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends it and what it started, without a word',
    async (signal) => {
      const { child, ended } = begin(place, ['workspace', 'list'])
      await eventually(database)
      child.kill(signal)
      expect(await ended).toEqual({ code: signal === 'SIGINT' ? 130 : 143, output: '', errors: '' })
      expect(await database()).toBeUndefined()
    },
    30_000,
  )

  test('commands at the same time wait for each other, and each is done', async () => {
    const names = ['Ada', 'Ben', 'Cleo']
    const answers = await Promise.all(names.map((name) => run(place, 'workspace', 'create', name)))
    for (const { code, errors } of answers) expect({ code, errors }).toEqual({ code: 0, errors: '' })
    const { workspaces } = await ask(place, 'workspace', 'list')
    expect(workspaces.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(names))
  }, 60_000)

  test('a database that services elsewhere may use is left alone', () =>
    expectRefusal(
      { ...place, environment: { DATABASE_URL: 'postgres://user:secret@127.0.0.1/parlance' } },
      ['workspace', 'list'],
      /^(?!.*secret).*NATS_URL/,
    ))

  test('a data folder whose path no socket has room for is one line', () =>
    expectRefusal(
      { ...place, environment: { PARLANCE_DATA: join(place.folder, 'd'.repeat(200)) } },
      ['workspace', 'list'],
      /too long.*PARLANCE_DATA/,
    ))
})

test('before anything is built, the command says what to do', async () => {
  const folder = await newFolder()
  await cp(join(root, 'cli/bin'), join(folder, 'cli/bin'), { recursive: true })
  const { code, output, errors } = await begin({ folder }, ['workspace', 'list'], join(folder, 'cli/bin/parlance.mjs'))
    .ended
  expect({ code, output }).toEqual({ code: 1, output: '' })
  expect(errors).toMatch(/^[^\n]*npm run build[^\n]*\n$/)
  await rm(folder, { recursive: true })
})
