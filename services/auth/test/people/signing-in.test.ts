import { randomUUID } from 'node:crypto'
import { setImmediate as nextTick } from 'node:timers/promises'
import { describeWithPrograms } from '@parlance/testing'
import { getMigrations } from 'better-auth/db/migration'
import { openAccounts } from '../../src/people/accounts.js'
import { openBrowser, type PeopleScene, publicUrl, startPeople } from './people-scene.js'

const password = 'a long enough password'

describeWithPrograms(['postgres'], 'signing in', () => {
  let scene: PeopleScene
  let workspaceId: string
  beforeAll(async () => {
    scene = await startPeople()
    workspaceId = await scene.newWorkspace()
  })
  afterAll(() => scene?.stop())

  let people = 0
  /** A person who has chosen a password, from an address of their own: each address may do so only ten times a minute. */
  const newPerson = async () => {
    people += 1
    const browser = openBrowser(scene, { address: `198.51.100.${people}` })
    const person = await scene.newMember(workspaceId, 'member')
    const { path } = await scene.people.createAccountLink({ email: person.email, kind: 'password' })
    const token = new URL(path, publicUrl).searchParams.get('token')
    await browser.post('/reset-password', { token, newPassword: password })
    return person
  }

  test('the tables are exactly those that the library requires', async () => {
    const database = await scene.openDatabase()
    const unused = async () => {}
    const { options } = await openAccounts({
      database,
      peppers: [{ version: 1, secret: 'the-first-pepper-of-all' }],
      publicUrl,
      mailer: {
        canSend: true,
        resetPassword: unused,
        verifyEmail: unused,
        confirmEmail: unused,
        invite: unused,
        warnOfSignIns: unused,
        close() {},
      },
      limit: { consume: async () => ({ allowed: true, retryAfter: null }) },
      limitAccount: async () => undefined,
      logger: undefined as never,
      provider: undefined,
      isInvited: async () => false,
      createInvitationToken: async () => '',
      onMemberRemoved() {},
    })
    const { toBeCreated, toBeAdded } = await getMigrations(options, { throwOnUnsafe: false })
    expect(toBeCreated.map(({ table }) => table)).toEqual([])
    expect(toBeAdded).toEqual([])
    await database.close()
  })

  test('a link signs a person in once, with a cookie that only this host receives over HTTPS', async () => {
    const person = await scene.newMember(workspaceId, 'owner')
    const { path, expires_at } = await scene.people.createAccountLink({ email: person.email, kind: 'sign_in' })
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now())
    const browser = openBrowser(scene)
    const { status, headers } = await browser.get(path)
    expect(status).toBe(302)
    const cookie = headers.find(([name]) => name === 'set-cookie')![1]
    expect(cookie).toMatch(/^__Host-parlance\.session_token=/)
    expect(cookie).toMatch(/; Path=\/(;|$)/)
    expect(cookie).toMatch(/; HttpOnly/)
    expect(cookie).toMatch(/; Secure/)
    expect(cookie).toMatch(/; SameSite=Lax/)
    expect(cookie).not.toMatch(/Domain/i)
    const signedIn = await scene.people.getSignedIn({ cookie: browser.cookie() })
    expect(signedIn.person).toEqual(person)
    expect(signedIn.workspaces).toMatchObject([{ id: workspaceId, role: 'owner', suspended: false }])

    const other = openBrowser(scene)
    await other.get(path)
    expect(other.cookie()).toBe('')
    await expect(scene.people.getSignedIn({ cookie: '' })).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('a password signs in; a wrong one, an unknown address and a damaged cookie do not', async () => {
    const { email } = await newPerson()
    const browser = openBrowser(scene)
    const wrong = { code: 'unauthorized', detail: 'Invalid email or password.' }
    await expect(browser.post('/sign-in/email', { email, password: 'another password' })).rejects.toMatchObject(wrong)
    const unknown = { email: `${randomUUID()}@example.com`, password }
    await expect(browser.post('/sign-in/email', unknown)).rejects.toMatchObject(wrong)
    await browser.post('/sign-in/email', { email, password })
    expect((await scene.people.getSignedIn({ cookie: browser.cookie() })).person.email).toBe(email)
    const damaged = browser.cookie().replace(/.{4}$/, 'AAAA')
    await expect(scene.people.getSignedIn({ cookie: damaged })).rejects.toMatchObject({ code: 'unauthorized' })
    await browser.post('/sign-out')
    expect(browser.cookie()).toBe('')
  })

  test('a short password is refused', async () => {
    const { email } = await scene.newMember(workspaceId, 'member')
    const { path } = await scene.people.createAccountLink({ email, kind: 'password' })
    const token = new URL(path, publicUrl).searchParams.get('token')
    await expect(openBrowser(scene).post('/reset-password', { token, newPassword: 'short' })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  test('a password link that was sent by mail can be used once, and signs out everywhere', async () => {
    const { email } = await newPerson()
    const before = openBrowser(scene)
    await before.post('/sign-in/email', { email, password })
    await openBrowser(scene).post('/request-password-reset', { email })
    const mail = scene.mails.findLast(({ to }) => to === email)!
    const token = new URL(/https:\S+/.exec(mail.text)![0]).searchParams.get('token')
    const change = () => openBrowser(scene).post('/reset-password', { token, newPassword: 'another long password' })
    await change()
    await expect(scene.people.getSignedIn({ cookie: before.cookie() })).rejects.toMatchObject({ code: 'unauthorized' })
    await openBrowser(scene).post('/sign-in/email', { email, password: 'another long password' })
    await expect(change()).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('nothing is mailed to an unknown address, and the response is the same', async () => {
    const { email } = await newPerson()
    const unknown = `${randomUUID()}@example.com`
    const answers = await Promise.all(
      [email, unknown].map((address) => openBrowser(scene).post('/request-password-reset', { email: address })),
    )
    expect(answers[0]!.body).toBe(answers[1]!.body)
    expect(scene.mails.some(({ to }) => to === unknown)).toBe(false)
  })

  test('requests that change something are refused from pages of other origins', async () => {
    const { email } = await newPerson()
    const browser = openBrowser(scene, { origin: 'https://evil.example.com' })
    await expect(browser.post('/sign-in/email', { email, password })).rejects.toMatchObject({
      code: 'origin_not_allowed',
    })
  })

  /** Tries the given number of wrong passwords from an address, and resolves with the codes of the refusals. */
  const tryPasswords = (email: string, address: string, count: number): Promise<string[]> =>
    Promise.all(
      Array.from({ length: count }, () =>
        openBrowser(scene, { address })
          .post('/sign-in/email', { email, password: 'another password' })
          .then(
            () => 'signed in',
            ({ code }: { code: string }) => code,
          ),
      ),
    )
  const signInFrom = (email: string, address: string) =>
    openBrowser(scene, { address }).post('/sign-in/email', { email, password })
  const warningsTo = (email: string) =>
    scene.mails.filter(({ to, text }) => to === email && text.includes('Many attempts to sign in')).length

  test('eleven wrong passwords from an address lock the account for that address alone, and the person gets one mail', async () => {
    const { email } = await newPerson()
    const attacker = '198.51.100.1'
    const codes = await tryPasswords(email, attacker, 14)
    expect(codes.filter((code) => code === 'rate_limited').length).toBeGreaterThanOrEqual(2)
    expect(codes.filter((code) => code === 'rate_limited').length).toBeLessThanOrEqual(4)
    await tryPasswords(email, attacker, 2)
    await expect(signInFrom(email, attacker)).rejects.toMatchObject({ code: 'rate_limited' })
    expect((await signInFrom(email, '203.0.113.7')).status).toBe(200)
    while (warningsTo(email) === 0) await nextTick()
    await tryPasswords(email, attacker, 2)
    expect(warningsTo(email)).toBe(1)
    const other = await newPerson()
    expect((await signInFrom(other.email, attacker)).status).toBe(200)
  })

  test('after wrong passwords from many addresses the right one still works from another address', async () => {
    const { email } = await newPerson()
    for (let attacker = 1; attacker <= 4; attacker++) {
      const codes = await tryPasswords(email, `198.51.100.${100 + attacker}`, 8)
      expect(codes).not.toContain('rate_limited')
    }
    expect((await signInFrom(email, '203.0.113.8')).status).toBe(200)
  })

  test('addresses of one IPv6 network of 64 bits count as one', async () => {
    const { email } = await newPerson()
    const codes = await Promise.all(
      Array.from({ length: 12 }, (_, index) => tryPasswords(email, `2001:db8:1:2::${index + 1}`, 1)),
    )
    expect(codes.flat()).toContain('rate_limited')
  })

  test.each([
    ['POST', '/sign-up/email'],
    ['POST', '/sign-in/magic-link'],
    ['POST', '/sign-in/social'],
    ['GET', '/callback/oidc'],
    ['POST', '/organization/create'],
    ['POST', '/organization/delete'],
    ['POST', '/update-session'],
    ['POST', '/delete-user'],
    ['GET', '/ok'],
  ] as const)('%s %s of the library is not public', async (method, path) => {
    const browser = openBrowser(scene)
    const asked = method === 'GET' ? browser.get(path) : browser.post(path)
    await expect(asked).rejects.toMatchObject({ code: 'not_found' })
  })

  test('an operator signs a person out everywhere', async () => {
    const { email } = await newPerson()
    const browsers = [openBrowser(scene), openBrowser(scene)]
    for (const browser of browsers) await browser.signIn(email)
    expect(await scene.people.signOutEverywhere({ email })).toEqual({ sessions: 2 })
    for (const browser of browsers) {
      await expect(scene.people.getSignedIn({ cookie: browser.cookie() })).rejects.toMatchObject({
        code: 'unauthorized',
      })
    }
  })
})
