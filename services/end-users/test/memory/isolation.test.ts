import { randomUUID } from 'node:crypto'
import type { Database } from '@parlance/store'
import { describeWithPrograms, weakenDatabases } from '@parlance/testing'
import { extracted, type Installation, newScope, type Scope, startInstallation, textsOf } from './memory-scene.js'

const weakened = weakenDatabases()

describeWithPrograms(['postgres'], 'memory', () => {
  describe.each([
    ['', (database: Database) => database],
    [' by row-level security alone', weakened.byRowsAlone],
  ])('is separated%s', (_how, wrap) => {
    let installation: Installation
    beforeAll(async () => {
      installation = await startInstallation({ wrap })
    })
    afterAll(() => installation?.stop())

    test('between workspaces, even when their Agents and end users have the same ids', async () => {
      const { memory } = installation
      const here = newScope()
      const there = { ...here, workspace_id: randomUUID() }
      await memory.remember(extracted(here, ['Mine.', 'Ours.']))
      await memory.remember(extracted(there, ['Theirs.', 'Ours.']))
      const recalled = async (scope: Scope) => textsOf((await memory.recall({ ...scope, token_budget: 1_000 })).facts)
      const listed = async (scope: Scope) => textsOf((await memory.listMemories({ ...scope, order: 'asc' })).memories)
      for (const look of [recalled, listed]) {
        expect(await look(here)).toEqual(['Mine.', 'Ours.'])
        expect(await look(there)).toEqual(['Theirs.', 'Ours.'])
      }
      expect(await memory.forget(here)).toEqual({ forgotten: 2 })
      expect(await recalled(there)).toEqual(['Theirs.', 'Ours.'])
      // A deletion in one workspace does not keep another from storing facts.
      expect(await memory.remember(extracted(there, ['Said before.'], new Date(0)))).toEqual({ kept: 1 })
    })
  })

  test('is tested by row-level security alone with rewritten queries', () =>
    expect(weakened.rewritten()).toBeGreaterThan(10))

  describe('of many Agents and end users', () => {
    let installation: Installation
    beforeAll(async () => {
      installation = await startInstallation()
    })
    afterAll(() => installation?.stop())

    test('is read by its own Agent, end user and workspace only', async () => {
      const { memory } = installation
      const [workspaces, users, agents] = [0, 1, 2].map(() => [randomUUID(), randomUUID()])
      const all = workspaces!.flatMap((workspace_id) =>
        users!.flatMap((end_user_id) => agents!.map((agent_id) => ({ workspace_id, end_user_id, agent_id }))),
      )
      const secretOf = (scope: Scope) => `Only ${scope.workspace_id} ${scope.end_user_id} ${scope.agent_id}`
      await Promise.all(all.map((scope) => memory.remember(extracted(scope, [secretOf(scope)]))))
      for (const scope of all) {
        const { facts } = await memory.recall({ ...scope, token_budget: 32_000 })
        expect(textsOf(facts)).toEqual([secretOf(scope)])
        const { agent_id: _, ...owner } = scope
        const { memories } = await memory.listMemories(owner)
        const own = all.filter(
          (one) => one.workspace_id === scope.workspace_id && one.end_user_id === scope.end_user_id,
        )
        expect(textsOf(memories).sort()).toEqual(own.map(secretOf).sort())
      }
      await memory.forget(all[0]!)
      for (const [index, scope] of all.entries()) {
        const { facts } = await memory.recall({ ...scope, token_budget: 32_000 })
        expect(textsOf(facts)).toEqual(index === 0 ? [] : [secretOf(scope)])
      }
    })

    test('has no row of another workspace, and none can be written', async () => {
      const { memory, database } = installation
      const [here, there] = [newScope(), newScope()]
      for (const scope of [here, there]) {
        await memory.forget(scope)
        await memory.remember(extracted(scope, ['Mine.'], new Date(Date.now() + 1_000)))
      }
      for (const table of ['memories', 'forgotten']) {
        expect(await database.query(`select * from ${table}`)).toEqual([])
        const ids = await database.inWorkspace(here.workspace_id, (transaction) =>
          transaction.query(`select distinct workspace_id from ${table}`),
        )
        expect([table, ids]).toEqual([table, [{ workspace_id: here.workspace_id }]])
        const takeOver = database.inWorkspace(here.workspace_id, (transaction) =>
          transaction.query(
            `insert into ${table} select (jsonb_populate_record(own, jsonb_build_object('workspace_id', $1::text))).*
             from ${table} own`,
            [there.workspace_id],
          ),
        )
        await expect(takeOver).rejects.toThrow('row-level security')
      }
    })
  })
})
