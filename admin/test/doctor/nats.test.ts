import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inboxPrefixOf, natsAuthorization, traffic } from '@parlance/cli'
import { describeWithPrograms, freePort, startNatsServer, type TestServer } from '@parlance/testing'
import { checkNats } from '../../src/doctor/checks/nats.js'
import { createContext, expectFinding, expectFine } from './check-context.js'

const users = Object.keys(traffic)
const passwordOf = (user: string) => `password-of-${user}`
const check = (environment: Record<string, string>, more = {}) => checkNats(createContext({ environment, ...more }))
const environmentOf = (user: string) => ({
  NATS_USER: user,
  NATS_PASSWORD: passwordOf(user),
  NATS_INBOX_PREFIX: inboxPrefixOf(user),
})

test('npm start has no NATS to check, also where variables are set to nothing', async () => {
  expectFinding(await check({}), 'skipped', /npm start uses its own message bus/)
  // Compose files leave variables out by setting them to nothing.
  const leftOut = { NATS_URL: '', NATS_USER: '', OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_METRICS_EXPORTER: '' }
  expectFinding(await check(leftOut), 'skipped', /npm start uses its own message bus/)
})

describeWithPrograms(['nats'], 'the check of NATS', () => {
  let folder: string
  let open: TestServer
  let secured: TestServer

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-doctor-nats-'))
    const authorization = natsAuthorization((user) => `user: ${user}, password: ${passwordOf(user)}`)
    await writeFile(join(folder, 'right.conf'), authorization)
    // Only tts may subscribe to the first of these, and only gateway and sessions may publish to the second.
    const planted = authorization
      .replaceAll('"parlance.catalog.voicesWanted"', '')
      .replaceAll('"parlance.tts.synthesize.>"', '"other"')
    await writeFile(join(folder, 'planted.conf'), planted)
    for (const user of users) await writeFile(join(folder, `${user}.password`), `${passwordOf(user)}\n`)
    ;[open, secured] = await Promise.all([
      startNatsServer(),
      startNatsServer({ args: ['--config', join(folder, 'right.conf')] }),
    ])
  })
  afterAll(async () => {
    await Promise.all([open?.stop(), secured?.stop()])
    await rm(folder, { recursive: true, force: true })
  })

  test('a NATS that requires no credentials is a warning', async () => {
    const findings = await check({ NATS_URL: open.url })
    expectFinding(findings, 'ok', /^NATS 2\.\d+\.\d+ at nats:\/\/127\.0\.0\.1:\d+ answers in [\d.]+ ms, without TLS/)
    expectFinding(findings, 'warning', /requires no credentials/)
    expectFinding(findings, 'ok', /^every service may publish to \d+/)
  })

  test('each user whose credentials are in a folder may do what its service needs', async () => {
    const findings = await check({ NATS_URL: secured.url, NATS_INBOX_PREFIX: '_INBOX_cli' }, { natsUsers: folder })
    expectFine(findings)
    for (const user of users) expectFinding(findings, 'ok', new RegExp(`^${user} may publish`))
  })

  test('the user of the environment is checked for its own service', async () => {
    expectFine(await check({ NATS_URL: secured.url, ...environmentOf('tts') }))
    const findings = await check({ NATS_URL: secured.url, ...environmentOf('tts'), NATS_INBOX_PREFIX: '_INBOX_other' })
    expectFinding(findings, 'error', /^tts may not .*subscribe to _INBOX_other\.>/)
  })

  test('subjects that the server denies are errors', async () => {
    const nats = await startNatsServer({ args: ['--config', join(folder, 'planted.conf')] })
    try {
      const findings = await check({ NATS_URL: nats.url, NATS_INBOX_PREFIX: '_INBOX_cli' }, { natsUsers: folder })
      expectFinding(findings, 'error', /^tts may not .*subscribe to parlance\.catalog\.voicesWanted/)
      expectFinding(findings, 'error', /^gateway may not publish to parlance\.tts\.synthesize\.>\.$/)
      expectFinding(findings, 'ok', /^auth may/)
    } finally {
      await nats.stop()
    }
  })

  test('wrong credentials, and a server that cannot be reached, are errors without the password', async () => {
    const refused = await check({ NATS_URL: secured.url, ...environmentOf('tts'), NATS_PASSWORD: 'hunter2' })
    expectFinding(refused, 'error', /^No connection to NATS at nats:\/\/127\.0\.0\.1/)
    expect(JSON.stringify(refused)).not.toContain('hunter2')
    const away = await check({ NATS_URL: `nats://ada:hunter2@127.0.0.1:${await freePort()}` })
    expectFinding(away, 'error', /^No connection to NATS at nats:\/\/127\.0\.0\.1/)
    expect(JSON.stringify(away)).not.toContain('hunter2')
  })

  test('a folder without credentials is an error', async () => {
    expectFinding(
      await check({ NATS_URL: open.url }, { natsUsers: tmpdir() }),
      'error',
      /has no file such as gateway\.nk/,
    )
  })
})
