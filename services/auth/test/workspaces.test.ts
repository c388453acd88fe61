import { describeWithPrograms } from '@parlance/testing'
import { type Gateway, type Installation, startInstallation } from './installation.js'

describeWithPrograms(['nats', 'redis', 'postgres'], 'the list of workspaces', () => {
  let installation: Installation
  let auth: Gateway['auth']
  let made: string[]

  const create = async (name: string) => (await auth.createWorkspace({ name, capabilities: ['tts'] })).id
  const pages = async (limit: number, whileReading = async () => {}) => {
    const read: string[][] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await auth.listWorkspaces({ limit, ...(cursor && { cursor }) })
      read.push(page.workspaces.map(({ id }) => id))
      cursor = page.next_cursor
      await whileReading()
    }
    return read
  }

  beforeAll(async () => {
    installation = await startInstallation()
    await installation.startAuth()
    auth = (await installation.openGateway()).auth
  })
  afterAll(() => installation.stop())

  test('is empty at first', async () => {
    expect(await auth.listWorkspaces({})).toEqual({ workspaces: [], next_cursor: null })
  })

  test('has each workspace once, oldest first, with any page size', async () => {
    made = []
    for (let n = 0; n < 7; n++) made.push(await create(`workspace ${n}`))
    for (const limit of [1, 2, 3, 6, 7, 8, 100]) {
      const read = await pages(limit)
      expect(read.flat()).toEqual(made)
      expect(read.map(({ length }) => length).slice(0, -1)).toEqual(Array(Math.ceil(7 / limit) - 1).fill(limit))
    }
  })

  test('neither loses nor repeats a workspace when others are created or changed while it is read', async () => {
    const before = [...made]
    const read = (
      await pages(3, async () => {
        if (made.length < 10) made.push(await create('made meanwhile'))
        await auth.updateWorkspace({ workspace_id: before[0]!, suspended: true })
      })
    ).flat()
    expect(read.slice(0, before.length)).toEqual(before)
    expect(new Set(read).size).toBe(read.length)
  })

  test('is searched by a literal part of the name in any case, and by the id', async () => {
    const special = await create('100%_Special')
    const found = async (search: string) => (await auth.listWorkspaces({ search })).workspaces.map(({ id }) => id)
    expect(await found('%_sp')).toEqual([special])
    expect(await found(special)).toEqual([special])
    expect(await found('%')).toEqual([special])
    const [first, ...others] = await found('WORKSPACE')
    expect([first, others.length]).toEqual([made[0], 6])
    const { next_cursor } = await auth.listWorkspaces({ search: 'workspace', limit: 3 })
    const rest = await auth.listWorkspaces({ search: 'workspace', cursor: next_cursor! })
    expect(rest.workspaces.map(({ id }) => id)).toEqual(others.slice(2))
    made.push(special)
  })

  test('shows a workspace like a single read does', async () => {
    const { workspaces } = await auth.listWorkspaces({ limit: 1 })
    expect(workspaces[0]).toEqual(await auth.getWorkspace({ workspace_id: made[0]! }))
    expect(workspaces[0]).toMatchObject({ suspended: true })
  })

  test('are ordered when they were created within one millisecond', async () => {
    await installation.makeWithinOneMillisecond('workspaces', made.toSorted().reverse())
    expect((await pages(4)).flat()).toEqual(made.toSorted().reverse())
  })

  test.each(['nonsense', '0f0b9d0c-6a3c-4f43-8d0e-1c8f2f1f7f10'])('refuses the cursor %s', async (cursor) => {
    await expect(auth.listWorkspaces({ cursor })).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describeWithPrograms(['nats', 'redis', 'postgres'], 'a workspace that is deleted', () => {
  test('is removed with its keys and invitations if it was suspended, and is kept otherwise', async () => {
    const installation = await startInstallation()
    try {
      await installation.startAuth()
      const gateway = await installation.openGateway()
      const { auth } = gateway
      const { id: workspace_id } = await auth.createWorkspace({ name: 'over', capabilities: ['tts'] })
      const { key } = await auth.createKey({ workspace_id, label: 'k' })
      const check = () => gateway.authenticate(`Bearer ${key}`)
      await check()

      await expect(auth.deleteWorkspace({ workspace_id })).rejects.toMatchObject({ code: 'invalid_request' })
      await auth.updateWorkspace({ workspace_id, suspended: true })
      expect(await auth.deleteWorkspace({ workspace_id })).toEqual({})

      await expect(check()).rejects.toMatchObject({ code: 'unauthorized' })
      await expect(auth.getWorkspace({ workspace_id })).rejects.toMatchObject({ code: 'not_found' })
      await expect(auth.deleteWorkspace({ workspace_id })).rejects.toMatchObject({ code: 'not_found' })
      expect((await auth.listWorkspaces({})).workspaces).toEqual([])
      expect((await auth.listKeys({ workspace_id })).keys).toEqual([])
    } finally {
      await installation.stop()
    }
  })
})
