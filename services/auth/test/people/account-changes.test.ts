import { randomUUID } from 'node:crypto'
import { describeWithPrograms } from '@parlance/testing'
import { openBrowser, type PeopleScene, startPeople } from './people-scene.js'

const newAddress = () => `${randomUUID()}@example.com`

describeWithPrograms(['postgres'], 'the change of an e-mail address', () => {
  let scene: PeopleScene
  let withoutMail: PeopleScene
  beforeAll(async () => {
    ;[scene, withoutMail] = await Promise.all([startPeople(), startPeople({ withMail: false, withPublicUrl: false })])
  })
  afterAll(async () => {
    await Promise.all([scene?.stop(), withoutMail?.stop()])
  })

  const newSignedIn = async (on: PeopleScene) => {
    const workspaceId = await on.newWorkspace()
    const { email } = await on.newMember(workspaceId, 'owner')
    const browser = openBrowser(on)
    await browser.signIn(email)
    const address = async () => (await on.people.getSignedIn({ cookie: browser.cookie() })).person.email
    return { workspaceId, email, browser, address }
  }

  /** The path of the link in the last mail to this address. */
  const linkTo = (email: string): string => {
    const { text } = scene.mails.findLast(({ to }) => to === email)!
    const { pathname, search } = new URL(/https:\S+/.exec(text)![0])
    return `${pathname}${search}`
  }

  test('is confirmed at the old address and then at the new one, before it counts', async () => {
    const { email, browser, address } = await newSignedIn(scene)
    const newEmail = newAddress()
    await browser.post('/change-email', { newEmail })
    expect(scene.mails.some(({ to }) => to === newEmail)).toBe(false)
    await browser.get(linkTo(email))
    expect(await address()).toBe(email)
    await browser.get(linkTo(newEmail))
    expect(await address()).toBe(newEmail)
    await expect(scene.people.createAccountLink({ email, kind: 'sign_in' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('to an address that another person has changes nothing, and the response is the same', async () => {
    const { email, browser, address } = await newSignedIn(scene)
    const other = await newSignedIn(scene)
    const answers = [
      await browser.post('/change-email', { newEmail: other.email }),
      await browser.post('/change-email', { newEmail: newAddress() }),
    ]
    expect(answers[0]!.body).toBe(answers[1]!.body)
    expect(await address()).toBe(email)
    expect(await other.address()).toBe(other.email)
  })

  test('is effective at once when neither a mail server nor the address of the gateway is configured', async () => {
    const { browser, address } = await newSignedIn(withoutMail)
    const newEmail = newAddress()
    await browser.post('/change-email', { newEmail })
    expect(await address()).toBe(newEmail)
  })

  test('an operator invites an address, also without a mail server; the earlier invitation ends', async () => {
    const { workspaceId } = await newSignedIn(withoutMail)
    const email = newAddress()
    const invite = () => withoutMail.people.createInvitation({ workspace_id: workspaceId, email, role: 'admin' })
    const idOf = ({ path }: { path: string }) => new URLSearchParams(path.split('?')[1]).get('id')!
    const [first, second] = [idOf(await invite()), idOf(await invite())]
    await expect(withoutMail.people.getInvitation({ invitation_id: first })).rejects.toMatchObject({
      code: 'not_found',
    })
    const password = 'a long enough password'
    await withoutMail.people.createInvitedPerson({ invitation_id: second, name: 'Ada', password })
    const browser = openBrowser(withoutMail)
    await browser.post('/sign-in/email', { email, password })
    await browser.post('/organization/accept-invitation', { invitationId: second })
    const { members } = await withoutMail.people.listMembers({ workspace_id: workspaceId })
    expect(members.at(-1)).toMatchObject({ email, role: 'admin', has_password: true })
    expect(members[0]).toMatchObject({ role: 'owner', has_password: false })
    await expect(invite()).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(
      withoutMail.people.createInvitation({ workspace_id: randomUUID(), email, role: 'admin' }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})
