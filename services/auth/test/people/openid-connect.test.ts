import { randomUUID } from 'node:crypto'
import { auth } from '@parlance/service-auth'
import { describeWithPrograms } from '@parlance/testing'
import { readIdentityProvider } from '../../src/people/identity-provider.js'
import {
  client,
  type Fault,
  followTo,
  type Identity,
  type OpenIdProvider,
  startOpenIdProvider,
} from './openid-provider.js'
import { type Browser, openBrowser, type PeopleScene, publicUrl, startPeople } from './people-scene.js'

const callback = `${publicUrl}/dashboard/auth/callback/oidc`

const settingsFor = (issuer: string) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
})

const newIdentity = (more: Partial<Identity> = {}): Identity => {
  const sub = randomUUID()
  return { sub, email: `${sub}@example.com`, email_verified: true, name: 'Ada Lovelace', ...more }
}

describeWithPrograms(['postgres'], 'signing in by an OpenID Connect provider', () => {
  let provider: OpenIdProvider
  let scene: PeopleScene
  let workspaceId: string
  beforeAll(async () => {
    provider = await startOpenIdProvider(callback)
    scene = await startPeople({ environment: { ...settingsFor(provider.issuer), OIDC_NAME: 'Acme' } })
    workspaceId = await scene.newWorkspace()
  })
  afterAll(async () => {
    await scene?.stop()
    await provider?.stop()
  })

  const begin = async (browser: Browser): Promise<string> => {
    const body = { provider: 'oidc', callbackURL: '/members', errorCallbackURL: '/sign-in' }
    return ((await browser.post('/sign-in/social', body)).json as { url: string }).url
  }

  /** Signs in, and resolves with the URL at which the person arrives. */
  const signIn = async (browser: Browser, identity: Identity | undefined, fault?: Fault) => {
    provider.signInAs(identity, fault)
    const { pathname, search } = await followTo(publicUrl, await begin(browser))
    const { headers } = await browser.get(`${pathname}${search}`)
    return new URL(headers.find(([name]) => name === 'location')![1], publicUrl)
  }

  const refusal = async (identity: Identity | undefined, fault?: Fault) => {
    const browser = openBrowser(scene)
    const { pathname, searchParams } = await signIn(browser, identity, fault)
    await expect(scene.people.getSignedIn({ cookie: browser.cookie() })).rejects.toMatchObject({ code: 'unauthorized' })
    expect(pathname).toBe('/sign-in')
    return searchParams.get('error')
  }

  const personOf = async (browser: Browser) => (await scene.people.getSignedIn({ cookie: browser.cookie() })).person

  test('a member with the address that the provider has verified signs in, and keeps name and workspaces', async () => {
    const identity = newIdentity()
    const member = await scene.people.addPerson({
      ...{ email: identity.email, name: 'Ada', workspace_id: workspaceId, role: 'member' },
    })
    const browser = openBrowser(scene)
    expect((await signIn(browser, identity)).pathname).toBe('/members')
    const { person, workspaces } = await scene.people.getSignedIn({ cookie: browser.cookie() })
    expect(person).toEqual(member)
    expect(workspaces).toMatchObject([{ id: workspaceId, role: 'member' }])
    expect((await browser.get('/list-accounts')).json).toMatchObject([{ providerId: 'oidc' }])
  })

  test('later the provider’s identity decides, even when the address changes there', async () => {
    const identity = newIdentity()
    await scene.people.addPerson({ email: identity.email, workspace_id: workspaceId, role: 'member' })
    await signIn(openBrowser(scene), identity)
    const browser = openBrowser(scene)
    await signIn(browser, { ...identity, email: `${randomUUID()}@example.com`, email_verified: false })
    expect((await personOf(browser)).email).toBe(identity.email)
  })

  test('an invited person gets an account and accepts the invitation; a person who is not invited gets none', async () => {
    const identity = newIdentity()
    const owner = await scene.newMember(workspaceId, 'owner')
    await openBrowser(scene).signIn(owner.email)
    expect(await refusal(identity)).toBe('not_invited')
    await expect(scene.people.createAccountLink({ email: identity.email, kind: 'sign_in' })).rejects.toMatchObject({
      code: 'not_found',
    })

    const { path } = await scene.people.createInvitation({
      ...{ workspace_id: workspaceId, email: identity.email, role: 'admin' },
    })
    const browser = openBrowser(scene)
    expect((await signIn(browser, identity)).pathname).toBe('/members')
    expect(await personOf(browser)).toMatchObject({ email: identity.email, name: 'Ada Lovelace' })
    const invitationId = new URLSearchParams(path.split('?')[1]).get('id')
    await browser.post('/organization/accept-invitation', { invitationId })
    const { workspaces } = await scene.people.getSignedIn({ cookie: browser.cookie() })
    expect(workspaces).toMatchObject([{ id: workspaceId, role: 'admin' }])
  })

  test('neither a member nor an invited person can sign in by an address that the provider has not verified', async () => {
    const member = newIdentity({ email_verified: false })
    await scene.people.addPerson({ email: member.email, workspace_id: workspaceId, role: 'owner' })
    expect(await refusal(member)).toBe('account_not_linked')
    const invited = newIdentity({ email_verified: false })
    await scene.people.createInvitation({ workspace_id: workspaceId, email: invited.email, role: 'member' })
    expect(await refusal(invited)).toBe('email_not_verified')
  })

  test('a sign-in fails with an ID token of another issuer, client, sign-in or key, with an expired one, or without one', async () => {
    const identity = newIdentity()
    await scene.people.addPerson({ email: identity.email, workspace_id: workspaceId, role: 'owner' })
    const hourAgo = Math.floor(Date.now() / 1_000) - 3_600
    const faults: Fault[] = [
      { claims: { iss: 'https://evil.example.com' } },
      { claims: { aud: 'another-client' } },
      { claims: { nonce: 'of-another-sign-in' } },
      { claims: { exp: hourAgo } },
      { otherKey: true },
      { noIdToken: true },
    ]
    for (const fault of faults)
      expect([fault, await refusal(identity, fault)]).toEqual([fault, 'unable_to_get_user_info'])
    const browser = openBrowser(scene)
    await signIn(browser, identity)
    expect((await personOf(browser)).email).toBe(identity.email)
  })

  test('a response that names another issuer or belongs to another browser is refused, and so is a person who cancels', async () => {
    expect(await refusal(undefined)).toBe('access_denied')
    const identity = newIdentity()
    await scene.people.addPerson({ email: identity.email, workspace_id: workspaceId, role: 'owner' })
    provider.signInAs(identity)
    const locationOf = async (browser: Browser, url: URL) => {
      const { headers } = await browser.get(`${url.pathname}${url.search}`)
      return headers.find(([name]) => name === 'location')![1]
    }
    const victim = openBrowser(scene)
    const returned = await followTo(publicUrl, await begin(victim))
    expect(await locationOf(openBrowser(scene), returned)).toContain('/sign-in?error=state_mismatch')
    const again = await followTo(publicUrl, await begin(victim))
    again.searchParams.set('iss', 'https://evil.example.com')
    expect(await locationOf(victim, again)).toContain('/sign-in?error=issuer_mismatch')
    await expect(scene.people.getSignedIn({ cookie: victim.cookie() })).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('an ID token from a client is refused', async () => {
    const body = { provider: 'oidc', idToken: { token: 'a.b.c' } }
    await expect(openBrowser(scene).post('/sign-in/social', body)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('the tokens of the provider are not stored', async () => {
    const database = await scene.openDatabase()
    const rows = await database.query(
      `select access_token, refresh_token, id_token from people_accounts where provider_id = 'oidc'`,
    )
    await database.close()
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row).toEqual({ access_token: null, refresh_token: null, id_token: null })
  })
})

describeWithPrograms(['postgres'], 'without a provider that answers', () => {
  let scene: PeopleScene | undefined
  afterEach(async () => {
    await scene?.stop()
    scene = undefined
  })
  const body = { provider: 'oidc', callbackURL: '/' }

  test('nothing is offered when no provider is configured', async () => {
    scene = await startPeople()
    expect(await scene.people.listIdentityProviders({})).toEqual({ providers: [], passkeys: true, sends_mail: true })
    await expect(openBrowser(scene).post('/sign-in/social', body)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a sign-in reports that, links work, and the next sign-in asks the provider again', async () => {
    const provider = await startOpenIdProvider(callback)
    // The issuer of the provider has no slash at its end.
    scene = await startPeople({ environment: settingsFor(`${provider.issuer}/`) })
    expect(await scene.people.listIdentityProviders({})).toEqual({
      providers: [{ id: 'oidc', name: 'SSO' }],
      passkeys: true,
      sends_mail: true,
    })
    const refused = { code: 'unavailable' }
    await expect(openBrowser(scene).post('/sign-in/social', body)).rejects.toMatchObject(refused)
    await provider.stop()
    await expect(openBrowser(scene).post('/sign-in/social', body)).rejects.toMatchObject(refused)
    const { email } = await scene.newMember(await scene.newWorkspace(), 'owner')
    const browser = openBrowser(scene)
    await browser.signIn(email)
    expect((await scene.people.getSignedIn({ cookie: browser.cookie() })).person.email).toBe(email)
  })

  test('a sign-in also reports that when the provider has responded before', async () => {
    const provider = await startOpenIdProvider(callback)
    scene = await startPeople({ environment: settingsFor(provider.issuer) })
    expect((await openBrowser(scene).post('/sign-in/social', body)).json).toHaveProperty('url')
    await provider.stop()
    await expect(openBrowser(scene).post('/sign-in/social', body)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

test('incomplete settings stop the start with the names of the missing variables', () => {
  const settings = auth.env.parse({ API_KEY_PEPPERS: '1:the-first-pepper-of-all', OIDC_CLIENT_ID: client.id })
  expect(() => readIdentityProvider(settings, () => '')).toThrow(
    /needs OIDC_ISSUER, OIDC_CLIENT_SECRET, PUBLIC_URL too/,
  )
  const issuer = (OIDC_ISSUER: string) =>
    auth.env.safeParse({ API_KEY_PEPPERS: '1:the-first-pepper-of-all', OIDC_ISSUER }).success
  expect(['https://login.example.com', 'http://127.0.0.1:3000', 'http://login.example.com'].map(issuer)).toEqual([
    ...[true, true, false],
  ])
})
