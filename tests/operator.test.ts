import { cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startServices } from '@parlance/runtime'
import { auth } from '@parlance/service-auth'
import { services } from '@parlance/service-standalone'
import { tokens } from '@parlance/service-tokens'
import { createLogger } from '@parlance/telemetry'
import {
  describeWithPrograms,
  freePort,
  startNatsServer,
  startPostgresServer,
  startRedisServer,
} from '@parlance/testing'
import { createApi, expectError } from './api.js'
import { ask, begin, expectRefusal, newFolder, type Place, root, run, unknownId } from './operator-command.js'

const databases = services.flatMap((service) => service.databases ?? [])

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
  })
  afterAll(async () => {
    for (const close of closers.reverse()) await close()
  })

  test('migrate brings an empty database up to date, once', async () => {
    const withDatabase = { ...place, environment: { DATABASE_URL: addresses.DATABASE_URL } }
    const first = await ask(withDatabase, 'migrate')
    const schemas = first.schemas.map(({ schema }: { schema: string }) => schema)
    expect(schemas).toEqual(databases.map(({ schema }) => schema))
    for (const { applied } of first.schemas) expect(applied[0]).toMatch(/^001-.*\.sql$/)
    const { output } = await run(withDatabase, 'migrate')
    expect(output.match(/up to date$/gm)).toHaveLength(databases.length)
  })

  test('migrate without a database, or with one that cannot be reached, is refused with one line', async () => {
    await expectRefusal(place, ['migrate'], /DATABASE_URL is not set/)
    const url = `postgres://user:secret@127.0.0.1:${await freePort()}/parlance`
    const away = { ...place, environment: { DATABASE_URL: url } }
    await expectRefusal(away, ['migrate'], /^(?!.*secret).*127\.0\.0\.1/)
  })

  test('services that do not run, and a NATS that cannot be reached, are refused with one line', async () => {
    await expectRefusal(place, ['workspace', 'list'], /auth service cannot be reached/)
    const away = { ...place, environment: { NATS_URL: `nats://127.0.0.1:${await freePort()}` } }
    await expectRefusal(away, ['workspace', 'list'], /NATS_URL/)
  })

  describe('with the services running', () => {
    beforeAll(async () => {
      const { stop } = await startServices([auth, tokens], {
        environment: { ...addresses, API_KEY_PEPPERS: '1:a-pepper-for-tests-only', LOG_LEVEL: 'warn' },
        logger: createLogger({ level: 'warn' }),
      })
      closers.push(stop)
    })

    test('a workspace is created with credit and a key, found again, and changed', async () => {
      const { workspace, credit, key } = await ask(
        place,
        ...['workspace', 'create', 'Acme & Söhne', '--capability', 'tts', '--credit', '12.5', '--key', 'First'],
      )
      expect(workspace).toMatchObject({ name: 'Acme & Söhne', capabilities: ['tts'], suspended: false })
      expect(credit).toMatchObject({ balance: '12.50' })
      expect(key.key).toMatch(/^awp_(dev|prd)_[0-9A-Za-z]{38}$/)
      expect((await ask(place, 'workspace', 'list')).workspaces).toContainEqual(workspace)
      expect(await ask(place, 'workspace', 'suspend', workspace.id)).toEqual({ ...workspace, suspended: true })
      expect(await ask(place, 'workspace', 'resume', workspace.id)).toEqual(workspace)
      const able = await ask(place, 'workspace', 'capabilities', workspace.id, '--add', 'agents', '--remove', 'tts')
      expect(able.capabilities).toEqual(['agents'])
      expect(await ask(place, 'workspace', 'show', workspace.id)).toEqual(able)
    })

    test('credit is granted once for a reference, and adds up', async () => {
      const { workspace } = await ask(place, 'workspace', 'create', 'Grants')
      const grant = (amount: string) => ['credit', 'grant', workspace.id, amount, '--reference', 'invoice 17']
      expect(await ask(place, ...grant('0.000000001'))).toMatchObject({ balance: '0.000000001', replayed: false })
      expect(await ask(place, ...grant('0.000000001'))).toMatchObject({ balance: '0.000000001', replayed: true })
      await expectRefusal(place, grant('5'), /reference/i)
      expect(await ask(place, 'credit', 'show', workspace.id)).toMatchObject({ balance: '0.000000001' })
      expect((await ask(place, 'credit', 'usage', workspace.id)).usage).toEqual([])
      const { workspaces } = await ask(place, 'reconcile', workspace.id)
      expect(workspaces).toMatchObject([{ workspace_id: workspace.id, granted: '0.000000001' }])
      expect(await run(place, 'reconcile')).toMatchObject({ code: 0, errors: '' })
    })

    test('a key is created, listed and revoked', async () => {
      const { workspace } = await ask(place, 'workspace', 'create', 'Keys')
      const { key, ...created } = await ask(place, 'key', 'create', workspace.id, '--label', 'Web site')
      expect((await ask(place, 'key', 'list', workspace.id)).keys).toEqual([created])
      expect(await ask(place, 'key', 'revoke', workspace.id, created.id)).toMatchObject({ status: 'revoked' })
      expect((await run(place, 'key', 'list', workspace.id)).output).toMatch(/revoked +Web site$/m)
      expect(key).toContain(created.prefix)
    })

    test('a person is added, gets another role, is invited elsewhere, and removed', async () => {
      const { workspace } = await ask(place, 'workspace', 'create', 'People')
      const email = `${workspace.id}@example.com`
      const user = (command: string, ...more: string[]) => ask(place, 'user', command, ...more)
      await user('add', workspace.id, email, '--name', 'Ada')
      await user('role', workspace.id, email, 'owner')
      const member = { email, name: 'Ada', role: 'owner', has_password: false }
      expect((await user('list', workspace.id)).members).toMatchObject([member])
      expect((await user('sign-in-link', email)).path).toMatch(/^\/dashboard\/auth\/magic-link\/verify\?token=\w+/)
      expect((await user('password-link', email)).path).toMatch(/^\/password\?token=/)
      const { workspace: other } = await ask(place, 'workspace', 'create', 'Elsewhere')
      expect((await user('invite', other.id, email)).path).toMatch(/^\/invitation\?id=/)
      expect(await user('sign-out-everywhere', email)).toEqual({ email, sessions: 0 })
      await user('remove', workspace.id, email)
      expect((await user('list', workspace.id)).members).toEqual([])
      await expectRefusal(place, ['user', 'remove', workspace.id, email], /not a member/)
    })

    test('an unknown workspace is refused with one line that names the command that lists them', async () => {
      await expectRefusal(place, ['workspace', 'show', unknownId], /parlance workspace list/)
      await expectRefusal(place, ['credit', 'grant', unknownId, '5', '--reference', 'a'], /parlance workspace list/)
    })
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
    let output = ''
    await new Promise<void>((resolve, reject) => {
      standalone.child.stdout.on('data', (text) => {
        output += text
        if (output.includes('Ctrl-C stops it.')) resolve()
      })
      standalone.ended.then(({ errors }) => reject(new Error(`it ended: ${output}${errors}`)))
    })
  })
  afterAll(async () => {
    standalone.child.kill('SIGTERM')
    await standalone.ended
    await rm(place.folder, { recursive: true, force: true })
  })

  // The socket takes any call of these services, so that the commands above are not repeated.
  test('a command finds the services, and reports their refusals', async () => {
    const { workspace } = await ask(place, 'workspace', 'create', 'Acme')
    expect((await ask(place, 'workspace', 'list')).workspaces).toContainEqual(workspace)
    await expectRefusal(place, ['workspace', 'show', unknownId], /parlance workspace list/)
  })

  test('its changes take effect in the running API at once', async () => {
    const { workspace, key } = await ask(place, 'workspace', 'create', 'Live', '--credit', '10', '--key', 'Live')
    const api = createApi(url, `Bearer ${key.key}`)
    expect((await api.get('/v1/voices')).status).toBe(200)
    await ask(place, 'workspace', 'suspend', workspace.id)
    expectError(await api.get('/v1/voices'), 403, 'organization_suspended')
    await ask(place, 'workspace', 'resume', workspace.id)
    expect((await api.get('/v1/voices')).status).toBe(200)
    await ask(place, 'key', 'revoke', workspace.id, key.id)
    expectError(await api.get('/v1/voices'), 401, 'unauthorized')
  })

  test('a suspended workspace is deleted with its members, who stay members of others', async () => {
    const { workspace } = await ask(place, 'workspace', 'create', 'Over')
    const { workspace: other } = await ask(place, 'workspace', 'create', 'Other')
    for (const { id } of [workspace, other]) await ask(place, 'user', 'add', id, 'grace@example.com', '--role', 'owner')
    await ask(place, 'workspace', 'suspend', workspace.id)
    expect(await ask(place, 'workspace', 'delete', workspace.id)).toEqual({ id: workspace.id, deleted: true })
    const { workspaces } = await ask(place, 'workspace', 'list')
    expect(workspaces.map(({ id }: { id: string }) => id)).not.toContain(workspace.id)
    expect((await ask(place, 'user', 'list', other.id)).members).toHaveLength(1)
  })

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

test('before anything is built, the command prints how to build it', async () => {
  const folder = await newFolder()
  await cp(join(root, 'cli/bin'), join(folder, 'cli/bin'), { recursive: true })
  const { code, output, errors } = await begin({ folder }, ['workspace', 'list'], join(folder, 'cli/bin/parlance.mjs'))
    .ended
  expect({ code, output }).toEqual({ code: 1, output: '' })
  expect(errors).toMatch(/^[^\n]*npm run build[^\n]*\n$/)
  await rm(folder, { recursive: true })
})
