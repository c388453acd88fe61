import { randomUUID } from 'node:crypto'
import type { AuditEntry } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { openBrowser, type PeopleScene, startPeople } from '../people/people-scene.js'

describeWithPrograms(['postgres'], 'the audit log', () => {
  let scene: PeopleScene
  beforeAll(async () => {
    scene = await startPeople()
  })
  afterAll(() => scene?.stop())

  const list = (workspace_id: string, filter: object = {}) => scene.audit.listEntries({ workspace_id, ...filter })
  const actsIn = async (workspaceId: string): Promise<string[]> =>
    (await list(workspaceId)).entries.map(({ action, actor }) => `${action} by ${actor.name ?? actor.kind}`).reverse()
  const ofAction = async (workspaceId: string, action: AuditEntry['action']) =>
    (await list(workspaceId, { action })).entries

  /** An Owner who is signed in. */
  const newOwner = async () => {
    const workspaceId = await scene.newWorkspace()
    const email = `${randomUUID()}@example.com`
    const owner = await scene.people.addPerson({ email, name: 'Olga', workspace_id: workspaceId, role: 'owner' })
    const browser = openBrowser(scene)
    await browser.signIn(owner.email)
    return { workspaceId, owner, browser }
  }

  test('has every action of members and operators once, in order, with its actor', async () => {
    const { workspaceId, owner, browser } = await newOwner()
    const address = { workspace_id: workspaceId }
    const key = await scene.auth.createKey({ ...address, label: 'Web site', person_id: owner.id })
    await scene.auth.revokeKey({ ...address, key_id: key.id, person_id: owner.id })
    await scene.auth.revokeKey({ ...address, key_id: key.id, person_id: owner.id })
    await scene.auth.createKey({ ...address, label: 'By the operator' })

    const invited = `${randomUUID()}@example.com`
    const invite = { organizationId: workspaceId, email: invited, role: 'member' }
    await browser.post('/organization/invite-member', invite)
    const link = new URL(/https:\S+/.exec(scene.mails.findLast(({ to }) => to === invited)!.text)![0])
    const [invitationId, token] = [link.searchParams.get('id')!, link.searchParams.get('token')!]
    const password = 'a long enough password'
    await scene.people.createInvitedPerson({ invitation_id: invitationId, token, name: 'Ivan', password })
    const other = openBrowser(scene)
    await other.post('/sign-in/email', { email: invited, password })
    await other.post('/organization/accept-invitation', { invitationId })
    const { members } = await scene.people.listMembers(address)
    const { json } = await browser.get(`/organization/list-members?organizationId=${workspaceId}`)
    const memberId = (json as { members: { id: string; userId: string }[] }).members.find(
      ({ userId }) => userId === members[1]!.id,
    )!.id
    await browser.post('/organization/update-member-role', {
      ...address,
      organizationId: workspaceId,
      memberId,
      role: 'admin',
    })
    await scene.people.addPerson({ ...address, email: invited, role: 'admin' })
    await browser.post('/organization/remove-member', { organizationId: workspaceId, memberIdOrEmail: invited })
    await scene.auth.updateWorkspace({ ...address, suspended: true })
    await scene.auth.updateWorkspace({ ...address, suspended: true, capabilities: [] })
    await scene.auth.updateWorkspace({ ...address, suspended: false })
    await scene.auth.updateWorkspace({ ...address, name: 'Renamed', person_id: owner.id })
    await scene.auth.updateWorkspace({ ...address, name: 'Renamed', max_concurrent_streams: 3 })
    await scene.auth.updateWorkspace({ ...address, capabilities: ['tts', 'agents'], person_id: owner.id })
    await scene.auth.updateWorkspace({ ...address, capabilities: ['agents', 'tts'] })

    expect(await actsIn(workspaceId)).toEqual([
      'member.added by operator',
      'person.signed_in by Olga',
      'api_key.created by Olga',
      'api_key.revoked by Olga',
      'api_key.created by operator',
      'member.invited by Olga',
      'member.added by Ivan',
      'member.role_changed by Olga',
      'member.removed by Olga',
      'workspace.suspended by operator',
      'workspace.capabilities_changed by operator',
      'workspace.resumed by operator',
      'workspace.renamed by Olga',
      'workspace.limits_changed by operator',
      'workspace.capabilities_changed by Olga',
    ])
    const [created] = (await list(workspaceId, { action: 'api_key.created', actor: owner.id })).entries
    expect(created!.details).toEqual({ key_id: key.id, label: 'Web site', prefix: key.prefix })
    const [changed] = await ofAction(workspaceId, 'member.role_changed')
    expect(changed!.details).toMatchObject({ email: invited, role: 'admin', role_before: 'member' })
    const [limits] = await ofAction(workspaceId, 'workspace.limits_changed')
    expect(limits!.details).toMatchObject({ streams: 3, streams_before: 50, sessions: 20 })
    const capabilities = await ofAction(workspaceId, 'workspace.capabilities_changed')
    expect(capabilities.map(({ details }) => details)).toEqual([
      { capabilities: 'agents, tts', capabilities_before: 'none' },
      { capabilities: 'none', capabilities_before: 'tts' },
    ])
    expect(JSON.stringify(await list(workspaceId))).not.toContain(invitationId)
  })

  test('a withdrawn invitation has its actor', async () => {
    const { workspaceId, browser } = await newOwner()
    const email = `${randomUUID()}@example.com`
    const { json } = await browser.post('/organization/invite-member', {
      ...{ organizationId: workspaceId, email, role: 'member' },
    })
    await browser.post('/organization/cancel-invitation', { invitationId: (json as { id: string }).id })
    expect((await actsIn(workspaceId)).slice(-2)).toEqual([
      'member.invited by Olga',
      'member.invitation_canceled by Olga',
    ])
  })

  test('the actor is never that of another request on the same connection', async () => {
    const { workspaceId, browser } = await newOwner()
    const invite = () =>
      browser.post('/organization/invite-member', {
        ...{ organizationId: workspaceId, email: `${randomUUID()}@example.com`, role: 'member' },
      })
    const add = () =>
      scene.people.addPerson({ email: `${randomUUID()}@example.com`, workspace_id: workspaceId, role: 'member' })
    await Promise.all(Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? invite() : add())))
    const added = await ofAction(workspaceId, 'member.added')
    expect(added).toHaveLength(7)
    expect(new Set(added.map(({ actor }) => actor.kind))).toEqual(new Set(['operator']))
  })

  test('contains an action if and only if it was committed', async () => {
    const { workspaceId } = await newOwner()
    const database = await scene.openDatabase()
    const before = await actsIn(workspaceId)
    await expect(
      database.transaction(async (transaction) => {
        await transaction.query('insert into api_keys (workspace_id, label, prefix) values ($1, $2, $2)', [
          workspaceId,
          'Lost',
        ])
        throw new Error('the process ends here')
      }),
    ).rejects.toThrow('the process ends here')
    expect(await actsIn(workspaceId)).toEqual(before)
    await expect(
      scene.auth.createKey({ workspace_id: workspaceId, label: 'Lost', person_id: randomUUID().replace(/^./, 'z') }),
    ).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await scene.auth.listKeys({ workspace_id: workspaceId })).toEqual({
      keys: [],
      next_cursor: null,
      member_keys: expect.any(Array),
    })
    await database.close()
  })

  test('its rows are those of one workspace, and are never changed or removed', async () => {
    const [mine, others] = [await newOwner(), await newOwner()]
    const database = await scene.openDatabase()
    expect(await database.query('select from audit_log')).toEqual([])
    const seen = await database.inWorkspace(mine.workspaceId, (transaction) =>
      transaction.query<{ workspace_id: string }>('select distinct workspace_id from audit_log'),
    )
    expect(seen).toEqual([{ workspace_id: mine.workspaceId }])
    expect((await list(others.workspaceId, { actor: mine.owner.id })).entries).toEqual([])
    for (const change of ["update audit_log set action = 'x'", 'delete from audit_log']) {
      const changed = database.inWorkspace(mine.workspaceId, (transaction) => transaction.query(change))
      await expect(changed).rejects.toThrow()
    }
    await database.close()
  })

  test('is read in pages, newest first, without gaps or repetitions', async () => {
    const { workspaceId } = await newOwner()
    for (let index = 0; index < 5; index += 1) {
      await scene.auth.createKey({ workspace_id: workspaceId, label: `Key ${index}` })
    }
    const all = (await list(workspaceId)).entries
    const paged: AuditEntry[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await list(workspaceId, { limit: 2, ...(cursor && { cursor }) })
      paged.push(...page.entries)
      cursor = page.next_cursor
    }
    expect(paged).toEqual(all)
    expect(all[0]!.details).toMatchObject({ label: 'Key 4' })
    await expect(list(workspaceId, { cursor: 'abc' })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('events of other services are added once, however often they are sent', async () => {
    const { workspaceId, owner } = await newOwner()
    const event = {
      action: 'agent.published',
      actor: { kind: 'person', id: owner.id },
      details: { version: 3 },
    } as const
    const sent = { id: randomUUID(), workspace_id: workspaceId, at: '2026-01-31T09:30:00.000Z', event }
    await scene.audit.recordEvents({ events: [sent] })
    await scene.audit.recordEvents({ events: [sent, { ...sent, id: randomUUID() }] })
    const entries = await ofAction(workspaceId, 'agent.published')
    expect(entries).toHaveLength(2)
    expect(entries.find(({ id }) => id === sent.id)).toMatchObject({
      actor: { name: 'Olga' },
      details: { version: 3 },
      created_at: sent.at,
    })
  })
})
