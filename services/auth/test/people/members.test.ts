import { randomUUID } from 'node:crypto'
import { describeWithPrograms } from '@parlance/testing'
import { openBrowser, type PeopleScene, publicUrl, startPeople } from './people-scene.js'

const password = 'a long enough password'

describeWithPrograms(['postgres'], 'the members of a workspace', () => {
  let scene: PeopleScene
  beforeAll(async () => {
    scene = await startPeople()
  })
  afterAll(() => scene?.stop())

  const newScene = async () => {
    const workspaceId = await scene.newWorkspace()
    const [owner, admin, member] = await Promise.all(
      (['owner', 'admin', 'member'] as const).map(async (role) => {
        const person = await scene.newMember(workspaceId, role)
        const browser = openBrowser(scene)
        await browser.signIn(person.email)
        return { ...person, browser }
      }),
    )
    return { workspaceId, owner: owner!, admin: admin!, member: member! }
  }

  const invite = (workspaceId: string, email: string, role: string) => ({ organizationId: workspaceId, email, role })
  const invitationIn = (email: string) => {
    const { text } = scene.mails.findLast(({ to }) => to === email)!
    return new URL(/https:\S+/.exec(text)![0])
  }

  test('an invited person without an account creates one, accepts and becomes a member with the invited role', async () => {
    const { workspaceId, admin } = await newScene()
    const email = `${randomUUID()}@example.com`
    await admin.browser.post('/organization/invite-member', invite(workspaceId, email, 'member'))
    const url = invitationIn(email)
    expect(url.origin).toBe(publicUrl)
    const invitation_id = url.searchParams.get('id')!
    expect(await scene.people.getInvitation({ invitation_id })).toMatchObject({ email, has_account: false })
    const token = url.searchParams.get('token')!
    await scene.people.createInvitedPerson({ invitation_id, token, name: 'Ada', password })
    expect(await scene.people.getInvitation({ invitation_id })).toMatchObject({ has_account: true })
    const again = { invitation_id, token, name: 'Eve', password }
    await expect(scene.people.createInvitedPerson(again)).rejects.toMatchObject({ code: 'invalid_request' })
    const browser = openBrowser(scene)
    await browser.post('/sign-in/email', { email, password })
    await browser.post('/organization/accept-invitation', { invitationId: invitation_id })
    const { workspaces } = await scene.people.getSignedIn({ cookie: browser.cookie() })
    expect(workspaces).toMatchObject([{ id: workspaceId, role: 'member' }])
    await expect(scene.people.getInvitation({ invitation_id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('only the person to whom an invitation was sent can accept it', async () => {
    const { workspaceId, owner } = await newScene()
    const { member: stranger } = await newScene()
    const email = `${randomUUID()}@example.com`
    await owner.browser.post('/organization/invite-member', invite(workspaceId, email, 'admin'))
    const invitationId = invitationIn(email).searchParams.get('id')
    await expect(stranger.browser.post('/organization/accept-invitation', { invitationId })).rejects.toMatchObject({
      code: 'forbidden_role',
    })
  })

  test('Members cannot invite, change roles or remove; Admins cannot make Owners', async () => {
    const { workspaceId, admin, member } = await newScene()
    const email = `${randomUUID()}@example.com`
    const { members } = await scene.people.listMembers({ workspace_id: workspaceId })
    expect(members.map(({ role }) => role).sort()).toEqual(['admin', 'member', 'owner'])
    const refused = { code: 'forbidden_role' }
    const { browser } = member
    await expect(
      browser.post('/organization/invite-member', invite(workspaceId, email, 'member')),
    ).rejects.toMatchObject(refused)
    const removal = { organizationId: workspaceId, memberIdOrEmail: admin.email }
    await expect(browser.post('/organization/remove-member', removal)).rejects.toMatchObject(refused)
    await expect(
      admin.browser.post('/organization/invite-member', invite(workspaceId, email, 'owner')),
    ).rejects.toMatchObject(refused)
  })

  test('a person cannot act in a workspace without being a member', async () => {
    const { workspaceId } = await newScene()
    const { owner: stranger } = await newScene()
    const cookie = stranger.browser.cookie()
    await expect(scene.people.getMember({ cookie, workspace_id: workspaceId })).rejects.toMatchObject({
      code: 'not_found',
    })
    const email = `${randomUUID()}@example.com`
    await expect(
      stranger.browser.post('/organization/invite-member', invite(workspaceId, email, 'member')),
    ).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('requests of a member are attributed to one key, which cannot be listed or revoked and ends with the membership', async () => {
    const { workspaceId, owner, member } = await newScene()
    const cookie = member.browser.cookie()
    const principals = await Promise.all(
      Array.from({ length: 5 }, () => scene.people.getMember({ cookie, workspace_id: workspaceId })),
    )
    expect(new Set(principals.map(({ key_id }) => key_id)).size).toBe(1)
    const [{ key_id, role, person_id }] = principals as [(typeof principals)[0]]
    expect({ role, person_id }).toEqual({ role: 'member', person_id: member.id })
    expect(await scene.auth.listKeys({ workspace_id: workspaceId })).toEqual({
      keys: [],
      next_cursor: null,
      member_keys: expect.arrayContaining([{ id: key_id, person_name: expect.any(String) }]),
    })
    await expect(scene.auth.revokeKey({ workspace_id: workspaceId, key_id })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await scene.auth.findEndedKeys({ key_ids: [key_id] })).toEqual({ ended: [] })

    await owner.browser.post('/organization/remove-member', {
      organizationId: workspaceId,
      memberIdOrEmail: member.email,
    })
    expect(await scene.auth.findEndedKeys({ key_ids: [key_id] })).toEqual({ ended: [{ key_id, code: 'unauthorized' }] })
    await expect(scene.people.getMember({ cookie, workspace_id: workspaceId })).rejects.toMatchObject({
      code: 'not_found',
    })

    await scene.people.addPerson({ email: member.email, workspace_id: workspaceId, role: 'member' })
    const again = await scene.people.getMember({ cookie, workspace_id: workspaceId })
    expect(again.key_id).not.toBe(key_id)
  })

  test('an invalid id is refused like an unknown one', async () => {
    const { owner } = await newScene()
    for (const invitationId of ['no-id', randomUUID()]) {
      await expect(owner.browser.post('/organization/accept-invitation', { invitationId })).rejects.toMatchObject({
        code: 'invalid_request',
      })
    }
  })

  test('the last Owner cannot leave', async () => {
    const { workspaceId, owner } = await newScene()
    await expect(owner.browser.post('/organization/leave', { organizationId: workspaceId })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  test('an operator adds a person to several workspaces, changes the role, and removes the person', async () => {
    const [first, second] = [await scene.newWorkspace(), await scene.newWorkspace()]
    const email = `${randomUUID()}@example.com`
    const person = await scene.people.addPerson({ email: email.toUpperCase(), workspace_id: first, role: 'member' })
    expect(person.email).toBe(email)
    await scene.people.addPerson({ email, workspace_id: second, role: 'member' })
    await scene.people.addPerson({ email, workspace_id: second, role: 'owner' })
    const browser = openBrowser(scene)
    await browser.signIn(email)
    const roles = async () =>
      (await scene.people.getSignedIn({ cookie: browser.cookie() })).workspaces.map(({ role }) => role)
    expect(await roles()).toEqual(['member', 'owner'])
    await scene.people.removeMember({ workspace_id: first, email })
    expect(await roles()).toEqual(['owner'])
    await expect(scene.people.addPerson({ email, workspace_id: randomUUID(), role: 'member' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
