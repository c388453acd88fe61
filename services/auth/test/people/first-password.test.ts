import { describeWithPrograms } from '@parlance/testing'
import { openBrowser, type PeopleScene, startPeople } from './people-scene.js'

const newPassword = 'a long enough password'

describeWithPrograms(['postgres'], 'the first password of a person who signed in by a link', () => {
  let scene: PeopleScene
  beforeAll(async () => {
    scene = await startPeople()
  })
  afterAll(() => scene?.stop())

  const newOwner = async () => {
    const workspace_id = await scene.newWorkspace()
    const { email } = await scene.newMember(workspace_id, 'owner')
    const browser = openBrowser(scene)
    await browser.signIn(email)
    const waysToSignIn = async () => (await browser.get('/list-accounts')).json
    const hasPassword = async () => (await scene.people.listMembers({ workspace_id })).members[0]!.has_password
    return { email, browser, waysToSignIn, hasPassword }
  }

  test('is set once, signs in, and is counted as a password by the operator', async () => {
    const { email, browser, waysToSignIn, hasPassword } = await newOwner()
    expect([await waysToSignIn(), await hasPassword()]).toEqual([[], false])
    await browser.post('/set-password', { newPassword })
    expect([await waysToSignIn(), await hasPassword()]).toMatchObject([[{ providerId: 'credential' }], true])

    const other = openBrowser(scene)
    await other.post('/sign-in/email', { email, password: newPassword })
    expect((await scene.people.getSignedIn({ cookie: other.cookie() })).person.email).toBe(email)

    const again = browser.post('/set-password', { newPassword: 'another long password' })
    await expect(again).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('is refused at the field that is wrong, as are a wrong current password and an address that is none', async () => {
    const { browser } = await newOwner()
    const refusal = (detail: unknown) => ({ code: 'invalid_request', detail })
    await expect(browser.post('/set-password', { newPassword: 'short' })).rejects.toMatchObject(
      refusal('newPassword: Password too short.'),
    )
    await browser.post('/set-password', { newPassword })
    await expect(
      browser.post('/change-password', { currentPassword: 'a wrong password', newPassword: 'another long password' }),
    ).rejects.toMatchObject(refusal('currentPassword: Invalid password.'))
    await expect(browser.post('/change-email', { newEmail: 'nowhere' })).rejects.toMatchObject(
      refusal(expect.stringMatching(/^newEmail: /)),
    )
  })

  test('is not set when it is short, without a sign-in, or by a page of another origin', async () => {
    const { email, browser, hasPassword } = await newOwner()
    await expect(browser.post('/set-password', { newPassword: 'short' })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    await expect(openBrowser(scene).post('/set-password', { newPassword })).rejects.toMatchObject({
      code: 'unauthorized',
    })
    const evil = openBrowser(scene, { origin: 'https://evil.example.com' })
    await evil.signIn(email)
    await expect(evil.post('/set-password', { newPassword })).rejects.toMatchObject({ code: 'origin_not_allowed' })
    expect(await hasPassword()).toBe(false)
  })
})
