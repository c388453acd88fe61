import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describeWithPrograms, startPostgresServer, type TestServer } from '@parlance/testing'
import { startChatCompletionsStandIn } from '@parlance/testing/stand-ins'
import pg from 'pg'
import {
  client,
  followTo,
  type OpenIdProvider,
  startOpenIdProvider,
} from '../services/auth/test/people/openid-provider.js'
import { openBrowser, publicUrl, startMailServer } from '../services/auth/test/people/people-scene.js'
import { createApi } from './api.js'
import { newKey, startTogether, type TestPlatform } from './platforms.js'
import { publishAgent } from './publish-agent.js'

const password = 'a long enough password'
const newAddress = () => `${randomUUID()}@example.com`

/** Each row of every table of every schema, as Postgres writes it, after the name of the table. */
const readEverything = async (database: pg.Client): Promise<string[]> => {
  const { rows: tables } = await database.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
  )
  const rows: string[] = []
  for (const { name } of tables) {
    const found = await database.query<{ row: string }>(`select t::text as row from ${name} t`)
    rows.push(...found.rows.map(({ row }) => `${name} ${row}`))
  }
  return rows
}

describeWithPrograms(['postgres'], 'a copy of the database', () => {
  let platform: TestPlatform
  let provider: OpenIdProvider
  let mail: Awaited<ReturnType<typeof startMailServer>>
  let postgres: TestServer
  let database: pg.Client
  beforeAll(async () => {
    ;[postgres, mail, provider] = await Promise.all([
      startPostgresServer(),
      startMailServer(),
      startOpenIdProvider(`${publicUrl}/dashboard/auth/callback/oidc`),
    ])
    platform = await startTogether({
      PUBLIC_URL: publicUrl,
      DATABASE_URL: postgres.url,
      ...{ SMTP_URL: mail.url, MAIL_FROM: 'Parlance <parlance@example.com>' },
      ...{ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
      MODEL_PROVIDER_KEYS: '1:a-master-key-for-tests-only',
    })
    database = new pg.Client(postgres.url)
    await database.connect()
  })
  afterAll(async () => {
    await database?.end()
    await platform?.stop()
    await Promise.all([provider?.stop(), mail?.stop(), postgres?.stop()])
  })

  const newBrowser = () => openBrowser(platform)
  const newPerson = async () => {
    const { workspace, authorization } = await newKey(platform)
    const person = await platform.people.addPerson({ email: newAddress(), workspace_id: workspace.id, role: 'owner' })
    const browser = newBrowser()
    await browser.signIn(person.email)
    return { workspaceId: workspace.id, authorization, email: person.email, browser }
  }
  /** The link in the last mail to this address. */
  const linkTo = (email: string): URL =>
    new URL(/https:\S+/.exec(mail.mails.findLast(({ to }) => to === email)!.text)![0])
  const tokenIn = (path: string): string => new URL(path, publicUrl).searchParams.get('token')!
  const pathOf = ({ pathname, search }: URL): string => `${pathname}${search}`
  /** The values of cookies, decoded. Their signatures are not stored, so a copy of a value would be usable. */
  const cookiesOf = (cookie: string): string[] =>
    cookie.split('; ').map((pair) => decodeURIComponent(pair.slice(pair.indexOf('=') + 1)))

  const invitation = async () => {
    const { browser, workspaceId } = await newPerson()
    const email = newAddress()
    await browser.post('/organization/invite-member', { organizationId: workspaceId, email, role: 'member' })
    const printed = await platform.people.createInvitation({
      ...{ workspace_id: workspaceId, email: newAddress(), role: 'admin' },
    })
    return [tokenIn(pathOf(linkTo(email))), tokenIn(printed.path)]
  }
  const newPassword = async () => {
    const { email } = await newPerson()
    await newBrowser().post('/request-password-reset', { email })
    const printed = await platform.people.createAccountLink({ email, kind: 'password' })
    return [tokenIn(pathOf(linkTo(email))), tokenIn(printed.path)]
  }
  const passwordAndSignIn = async () => {
    const { email } = await newPerson()
    const { path } = await platform.people.createAccountLink({ email, kind: 'password' })
    await newBrowser().post('/reset-password', { token: tokenIn(path), newPassword: password })
    const browser = newBrowser()
    await browser.post('/sign-in/email', { email, password })
    return [password, tokenIn(path), ...cookiesOf(browser.cookie())]
  }
  const signInLink = async () => {
    const { email, browser } = await newPerson()
    const { path } = await platform.people.createAccountLink({ email, kind: 'sign_in' })
    return [tokenIn(path), ...cookiesOf(browser.cookie())]
  }
  const changeOfAddress = async () => {
    const { email, browser } = await newPerson()
    const newEmail = newAddress()
    await browser.post('/change-email', { newEmail })
    const confirmation = linkTo(email)
    await browser.get(pathOf(confirmation))
    return [tokenIn(pathOf(confirmation)), tokenIn(pathOf(linkTo(newEmail)))]
  }
  const passkey = async () => {
    const { browser } = await newPerson()
    const other = newBrowser()
    await browser.get('/passkey/generate-register-options')
    await other.get('/passkey/generate-authenticate-options')
    return [...cookiesOf(browser.cookie()), ...cookiesOf(other.cookie())]
  }
  const identityProvider = async () => {
    const { email } = await newPerson()
    provider.signInAs({ sub: randomUUID(), email, email_verified: true, name: 'Ada' })
    const [browser, unfinished] = [newBrowser(), newBrowser()]
    const begin = { provider: 'oidc', callbackURL: '/agents', errorCallbackURL: '/sign-in' }
    const { url } = (await browser.post('/sign-in/social', begin)).json as { url: string }
    const callback = await followTo(publicUrl, url)
    await browser.get(pathOf(callback))
    await unfinished.post('/sign-in/social', begin)
    return [callback.searchParams.get('code')!, ...cookiesOf(browser.cookie()), ...cookiesOf(unfinished.cookie())]
  }
  const keysAndTokens = async () => {
    const { authorization } = await newKey(platform)
    const api = createApi(platform.urls[0], authorization)
    const id = await publishAgent(api, { voice: await api.voice() })
    const [session, stream] = await Promise.all([
      api.post(`/v1/agents/${id}/session-tokens`, {}, { 'idempotency-key': randomUUID() }),
      api.post('/v1/tts/stream-tokens', {}),
    ])
    return [authorization.slice('Bearer '.length), session.body.token, stream.body.token]
  }
  const webhook = async () => {
    const api = createApi(platform.urls[0], (await newKey(platform)).authorization)
    const { body } = await api.post('/v1/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['agent.published'] })
    const { body: rotated } = await api.post(`/v1/webhooks/${body.id}/rotate-secret`)
    return [body.secret, rotated.secret]
  }
  const modelProvider = async () => {
    const { browser, workspaceId } = await newPerson()
    const key = `sk-${randomUUID()}`
    const model = await startChatCompletionsStandIn({ text: 'Yes.' })
    const response = await fetch(`${platform.urls[0]}/dashboard/api/providers`, {
      method: 'POST',
      headers: {
        cookie: browser.cookie(),
        'x-parlance-workspace': workspaceId,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'Own', kind: 'openai_compatible', url: model.baseUrl, key }),
    })
    await model.close()
    expect(response.status).toBe(201)
    return [key]
  }
  const calendar = async () => {
    const api = createApi(platform.urls[0], (await newKey(platform)).authorization)
    const { body } = await api.get(`/v1/end-users/${randomUUID()}/calendar`)
    return [new URL(body.feed_url).pathname.split('/').at(-1)!.replace('.ics', '')]
  }

  test.each(
    Object.entries({
      ...{ invitation, newPassword, passwordAndSignIn, signInLink, changeOfAddress, passkey, identityProvider },
      ...{ keysAndTokens, webhook, modelProvider, calendar },
    }),
  )('has no secret that a client could use, after %s', async (_flow, run) => {
    const secrets = await run()
    for (const secret of secrets) expect(secret).toMatch(/^.{10,}$/)
    const rows = await readEverything(database)
    const rowsWith = (secret: string) => {
      const forms = [secret, ...(['hex', 'base64url'] as const).map((form) => Buffer.from(secret).toString(form))]
      return rows.filter((row) => forms.some((text) => row.includes(text)))
    }
    expect(secrets.flatMap(rowsWith)).toEqual([])
  })

  test('is read by this test in all schemas', async () => {
    const { email } = await newPerson()
    const rows = await readEverything(database)
    expect(rows.filter((row) => row.startsWith('auth.people ') && row.includes(email))).toHaveLength(1)
    const schemas = new Set(rows.map((row) => row.slice(0, row.indexOf('.'))))
    expect([...schemas].sort()).toEqual([
      'agents',
      'auth',
      'calendar',
      'credit',
      'memory',
      'sessions',
      'tokens',
      'webhooks',
    ])
  })

  test('has tokens of sign-ins, which are useless without a signature under the peppers', async () => {
    const { email, browser } = await newPerson()
    expect((await platform.people.getSignedIn({ cookie: browser.cookie() })).person.email).toBe(email)
    const [name] = browser.cookie().split('=')
    const { rows: stored } = await database.query<{ token: string }>(
      'select token from auth.people_sessions s join auth.people p on p.id = s.person_id where p.email = $1',
      [email],
    )
    for (const { token } of stored) {
      await expect(platform.people.getSignedIn({ cookie: `${name}=${token}` })).rejects.toMatchObject({
        code: 'unauthorized',
      })
    }
    expect(stored).toHaveLength(1)
  })

  test('that an earlier version wrote has no secrets after the migration, and its links still work', async () => {
    const { email, workspaceId } = await newPerson()
    const [token, invited] = [randomUUID(), newAddress()]
    const { path } = await platform.people.createInvitation({
      workspace_id: workspaceId,
      email: invited,
      role: 'member',
    })
    await database.query('set search_path = auth; alter table invitations drop column token_digest')
    await database.query(`update invitations set token = $1 where email = $2`, [tokenIn(path), invited])
    await database.query(
      `insert into verifications (identifier, value, expires_at)
       select 'reset-password:' || $1, id, now() + interval '1 hour' from people where email = $2`,
      [token, email],
    )
    const migration = new URL('../services/auth/migrations/014-digests-of-links.sql', import.meta.url)
    await database.query(await readFile(migration, 'utf8'))
    const rows = await readEverything(database)
    expect(rows.filter((row) => row.includes(token) || row.includes(tokenIn(path)))).toEqual([])

    await newBrowser().post('/reset-password', { token, newPassword: password })
    await newBrowser().post('/sign-in/email', { email, password })
    const invitation_id = new URL(path, publicUrl).searchParams.get('id')!
    await platform.people.createInvitedPerson({ invitation_id, token: tokenIn(path), name: 'Ada', password })
  })
})
