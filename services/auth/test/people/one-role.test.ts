import { randomUUID } from 'node:crypto'
import { describeWithPrograms } from '@parlance/testing'
import { type Browser, openBrowser, type PeopleScene, startPeople } from './people-scene.js'

describeWithPrograms(['postgres'], 'a member has one role', () => {
  let scene: PeopleScene
  beforeAll(async () => {
    scene = await startPeople()
  })
  afterAll(() => scene?.stop())

  const memberIdOf = async (browser: Browser, organizationId: string, personId: string) => {
    const { json } = await browser.get(`/organization/list-members?organizationId=${organizationId}`)
    const { members } = json as { members: { id: string; userId: string }[] }
    return members.find(({ userId }) => userId === personId)!.id
  }

  const newScene = async () => {
    const organizationId = await scene.newWorkspace()
    const [admin, member] = [
      await scene.newMember(organizationId, 'admin'),
      await scene.newMember(organizationId, 'member'),
    ]
    const [browser, ofMember] = [openBrowser(scene), openBrowser(scene)]
    await browser.signIn(admin.email)
    await ofMember.signIn(member.email)
    return { organizationId, browser, ofMember, memberId: await memberIdOf(browser, organizationId, member.id) }
  }

  const several = [['admin', 'member'], 'admin,member', ['member', 'member'], ['member,admin']]
  const refused = { code: 'invalid_request', detail: 'role: must be one of owner, admin, member.' }

  test('an Admin who gives a member several roles is refused, and the member can still sign in', async () => {
    const { organizationId, browser, ofMember, memberId } = await newScene()
    for (const role of several) {
      const change = browser.post('/organization/update-member-role', { organizationId, memberId, role })
      expect([role, await change.catch((error: unknown) => error)]).toMatchObject([role, refused])
      const { workspaces } = await scene.people.getSignedIn({ cookie: ofMember.cookie() })
      expect(workspaces).toMatchObject([{ role: 'member' }])
    }
    await browser.post('/organization/update-member-role', { organizationId, memberId, role: ['admin'] })
    const { workspaces } = await scene.people.getSignedIn({ cookie: ofMember.cookie() })
    expect(workspaces).toMatchObject([{ role: 'admin' }])
  })

  test('an invitation with several roles is refused, and is not sent', async () => {
    const { organizationId, browser } = await newScene()
    for (const role of several) {
      const email = `${randomUUID()}@example.com`
      const invitation = browser.post('/organization/invite-member', { organizationId, email, role })
      expect([role, await invitation.catch((error: unknown) => error)]).toMatchObject([role, refused])
      expect(scene.mails.some(({ to }) => to === email)).toBe(false)
    }
  })

  test('the database refuses all other roles', async () => {
    const { memberId, organizationId } = await newScene()
    const database = await scene.openDatabase()
    const violation = { code: '23514' }
    await expect(
      database.query(`update members set role = 'admin,member' where id = $1`, [memberId]),
    ).rejects.toMatchObject(violation)
    await expect(
      database.query(
        `insert into invitations (workspace_id, email, role, status, expires_at)
         values ($1, 'ada@example.com', 'admin,member', 'pending', now())`,
        [organizationId],
      ),
    ).rejects.toMatchObject(violation)
    await database.close()
  })
})
