import { randomUUID } from 'node:crypto'
import { describeWithPrograms } from '@parlance/testing'
import { client, followTo, type OpenIdProvider, startOpenIdProvider } from './openid-provider.js'
import { openBrowser, type PeopleScene, publicUrl, startPeople } from './people-scene.js'

const password = 'a long enough password'
const newAddress = () => `${randomUUID()}@example.com`
const refused = { code: 'invalid_request' }

describeWithPrograms(
  ['postgres'],
  'an address belongs to a person once an operator’s link or a mail has proven it',
  () => {
    let provider: OpenIdProvider
    let mailing: PeopleScene
    let withoutMail: PeopleScene
    let database: Awaited<ReturnType<PeopleScene['openDatabase']>>
    beforeAll(async () => {
      provider = await startOpenIdProvider(`${publicUrl}/dashboard/auth/callback/oidc`)
      const environment = {
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: client.id,
        OIDC_CLIENT_SECRET: client.secret,
      }
      ;[mailing, withoutMail] = await Promise.all([startPeople(), startPeople({ withMail: false, environment })])
      database = await withoutMail.openDatabase()
    })
    afterAll(async () => {
      await database?.close()
      await Promise.all([mailing?.stop(), withoutMail?.stop(), provider?.stop()])
    })

    const newAdmin = async (scene: PeopleScene) => {
      const workspaceId = await scene.newWorkspace()
      const { email } = await scene.newMember(workspaceId, 'admin')
      const browser = openBrowser(scene)
      await browser.signIn(email)
      return { workspaceId, browser, email }
    }

    /** The information about a new invitation that the inviter receives. */
    const invite = async (scene: PeopleScene, email: string) => {
      const { workspaceId, browser } = await newAdmin(scene)
      const invitation = { organizationId: workspaceId, email, role: 'member' }
      const { json, body } = await browser.post('/organization/invite-member', invitation)
      const list = await browser.get(`/organization/list-invitations?organizationId=${workspaceId}`)
      return { id: (json as { id: string }).id, seen: `${body} ${list.body}`, workspaceId }
    }

    /** An Admin creates the account of another person, with a password that the Admin knows. */
    const takeAddress = async (email: string) => {
      const { id } = await invite(withoutMail, email)
      await withoutMail.people.createInvitedPerson({ invitation_id: id, name: 'Eve', password })
      const thief = openBrowser(withoutMail)
      await thief.post('/sign-in/email', { email, password })
      return { thief, person: (await withoutMail.people.getSignedIn({ cookie: thief.cookie() })).person }
    }

    const choosePassword = async (scene: PeopleScene, email: string, newPassword: string) => {
      const { path } = await scene.people.createAccountLink({ email, kind: 'password' })
      const token = new URL(path, publicUrl).searchParams.get('token')
      await openBrowser(scene).post('/reset-password', { token, newPassword })
    }

    const isVerified = async (email: string) => {
      const [row] = await database.query<{ email_verified: boolean }>(
        'select email_verified from people where email = $1',
        [email],
      )
      return row!.email_verified
    }

    test('when mails are sent, inviters receive nothing with which they could create the account of the invited person', async () => {
      const email = newAddress()
      const { id, seen } = await invite(mailing, email)
      const { text } = mailing.mails.findLast(({ to }) => to === email)!
      const token = new URL(/https:\S+/.exec(text)![0]).searchParams.get('token')!
      expect(seen).toContain(id)
      expect(seen).not.toContain(token)
      const person = { invitation_id: id, name: 'Eve', password }
      await expect(mailing.people.createInvitedPerson(person)).rejects.toMatchObject(refused)
      const wrong = { ...person, token: randomUUID() }
      await expect(mailing.people.createInvitedPerson(wrong)).rejects.toMatchObject(refused)
      await mailing.people.createInvitedPerson({ ...person, token })
      const workspace_id = await mailing.newWorkspace()
      await mailing.people.addPerson({ email, workspace_id, role: 'owner' })
    })

    test('without mails, the inviter’s link creates an account, and operators give it no rights before the address is proven', async () => {
      const email = newAddress()
      const { thief } = await takeAddress(email)
      expect(await isVerified(email)).toBe(false)
      const workspace_id = await withoutMail.newWorkspace()
      const add = () => withoutMail.people.addPerson({ email, workspace_id, role: 'owner' })
      const makeOperator = () => withoutMail.people.setOperator({ email, is_operator: true })
      const next = { ...refused, detail: expect.stringContaining(`npx parlance user password-link ${email}`) }
      await expect(add()).rejects.toMatchObject(next)
      await expect(makeOperator()).rejects.toMatchObject(next)
      expect(await withoutMail.people.listMembers({ workspace_id })).toEqual({ members: [] })

      await choosePassword(withoutMail, email, 'the password of the owner')
      expect(await isVerified(email)).toBe(true)
      await add()
      await makeOperator()
      await expect(withoutMail.people.getSignedIn({ cookie: thief.cookie() })).rejects.toMatchObject({
        code: 'unauthorized',
      })
      await expect(openBrowser(withoutMail).post('/sign-in/email', { email, password })).rejects.toMatchObject({
        code: 'unauthorized',
      })
    })

    test('a link of an operator’s invitation proves the address', async () => {
      const email = newAddress()
      const workspace_id = await withoutMail.newWorkspace()
      const { path } = await withoutMail.people.createInvitation({ workspace_id, email, role: 'member' })
      const search = new URL(path, publicUrl).searchParams
      const [invitation_id, token] = [search.get('id')!, search.get('token')!]
      await withoutMail.people.createInvitedPerson({ invitation_id, token, name: 'Ada', password })
      expect(await isVerified(email)).toBe(true)
    })

    test.each(['sign_in', 'password'] as const)(
      'an operator’s link of the kind %s ends all earlier ways to sign in to the account',
      async (kind) => {
        const email = newAddress()
        const { thief, person } = await takeAddress(email)
        await database.query(
          `insert into passkeys (public_key, person_id, credential_id, counter, device_type, backed_up)
         values ('key', $1, $2, 0, 'singleDevice', false)`,
          [person.id, randomUUID()],
        )
        await database.query(
          `insert into people_accounts (person_id, account_id, provider_id, updated_at) values ($1, $2, 'oidc', now())`,
          [person.id, randomUUID()],
        )
        if (kind === 'sign_in') await openBrowser(withoutMail).signIn(email)
        else await choosePassword(withoutMail, email, 'the password of the owner')
        expect(await isVerified(email)).toBe(true)
        await expect(withoutMail.people.getSignedIn({ cookie: thief.cookie() })).rejects.toMatchObject({
          code: 'unauthorized',
        })
        const ways = await database.query(
          `select provider_id as way from people_accounts where person_id = $1
         union all select 'passkey' from passkeys where person_id = $1`,
          [person.id],
        )
        expect(ways).toEqual(kind === 'sign_in' ? [] : [{ way: 'credential' }])
        const attempt = openBrowser(withoutMail).post('/sign-in/email', { email, password })
        await expect(attempt).rejects.toMatchObject({ code: 'unauthorized' })
      },
    )

    test('a sign-in by an identity provider is not linked to an account whose address is not proven', async () => {
      const email = newAddress()
      await takeAddress(email)
      const signIn = async () => {
        provider.signInAs({ sub: email, email, email_verified: true, name: 'Ada' })
        const browser = openBrowser(withoutMail)
        const body = { provider: 'oidc', callbackURL: '/members', errorCallbackURL: '/sign-in' }
        const { url } = (await browser.post('/sign-in/social', body)).json as { url: string }
        const { pathname, search } = await followTo(publicUrl, url)
        const { headers } = await browser.get(`${pathname}${search}`)
        return new URL(headers.find(([name]) => name === 'location')![1], publicUrl)
      }
      expect((await signIn()).searchParams.get('error')).toBe('account_not_linked')
      await choosePassword(withoutMail, email, 'the password of the owner')
      expect((await signIn()).pathname).toBe('/members')
    })

    test('an address that was changed without a mail is not proven, and links for the old one end', async () => {
      const { email: old, browser } = await newAdmin(withoutMail)
      const { path } = await withoutMail.people.createAccountLink({ email: old, kind: 'password' })
      const email = newAddress()
      await browser.post('/change-email', { newEmail: email })
      expect(await isVerified(email)).toBe(false)
      const token = new URL(path, publicUrl).searchParams.get('token')
      const reset = openBrowser(withoutMail).post('/reset-password', { token, newPassword: password })
      await expect(reset).rejects.toMatchObject(refused)
      const workspace_id = await withoutMail.newWorkspace()
      await expect(withoutMail.people.addPerson({ email, workspace_id, role: 'owner' })).rejects.toMatchObject(refused)
    })

    test('an address that was confirmed by mail is proven, even when the previous one was not', async () => {
      const { email: old, browser } = await newAdmin(mailing)
      const rows = await mailing.openDatabase()
      await rows.query('update people set email_verified = false where email = $1', [old])
      await rows.close()
      const email = newAddress()
      await browser.post('/change-email', { newEmail: email })
      const { text } = mailing.mails.findLast(({ to }) => to === email)!
      const { pathname, search } = new URL(/https:\S+/.exec(text)![0])
      await browser.get(`${pathname}${search}`)
      await mailing.people.addPerson({ email, workspace_id: await mailing.newWorkspace(), role: 'owner' })
    })
  },
)
