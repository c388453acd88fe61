import { randomUUID } from 'node:crypto'
import type { Database } from '@parlance/store'
import { describeWithPrograms, weakenDatabases } from '@parlance/testing'
import { type Installation, learnt, type Someone, someone, startInstallation, textsOf } from './installation.js'

const weakened = weakenDatabases()

describeWithPrograms(['postgres'], 'what is remembered', () => {
  describe.each([
    ['', (database: Database) => database],
    [' by row-level security alone', weakened.byRowsAlone],
  ])('is kept apart%s', (_how, wrap) => {
    let installation: Installation
    beforeAll(async () => {
      installation = await startInstallation({ wrap })
    }, 60_000)
    afterAll(() => installation?.stop(), 30_000)

    test('between workspaces, though their Agents and end users had the same ids', async () => {
      const { memory } = installation
      const here = someone()
      const there = { ...here, workspace_id: randomUUID() }
      await memory.remember(learnt(here, ['Mine.', 'Ours.']))
      await memory.remember(learnt(there, ['Theirs.', 'Ours.']))
      const recalled = async (who: Someone) => textsOf((await memory.recall({ ...who, token_budget: 1_000 })).facts)
      const listed = async (who: Someone) => textsOf((await memory.listMemories({ ...who, order: 'asc' })).memories)
      for (const look of [recalled, listed]) {
        expect(await look(here)).toEqual(['Mine.', 'Ours.'])
        expect(await look(there)).toEqual(['Theirs.', 'Ours.'])
      }
      expect(await memory.forget(here)).toEqual({ forgotten: 2 })
      expect(await recalled(there)).toEqual(['Theirs.', 'Ours.'])
      // Nor does one workspace's forgetting keep another from learning.
      expect(await memory.remember(learnt(there, ['Said before.'], new Date(0)))).toEqual({ kept: 1 })
    })
  })

  test('is not told apart by the queries alone in the suite of row-level security', () =>
    expect(weakened.rewritten()).toBeGreaterThan(10))

  describe('of many', () => {
    let installation: Installation
    beforeAll(async () => {
      installation = await startInstallation()
    }, 60_000)
    afterAll(() => installation?.stop(), 30_000)

    test('is what was learnt by this Agent of this end user in this workspace, whoever else there is', async () => {
      const { memory } = installation
      const [workspaces, users, agents] = [0, 1, 2].map(() => [randomUUID(), randomUUID()])
      const all = workspaces!.flatMap((workspace_id) =>
        users!.flatMap((end_user_id) => agents!.map((agent_id) => ({ workspace_id, end_user_id, agent_id }))),
      )
      const secretOf = (who: Someone) => `Only ${who.workspace_id} ${who.end_user_id} ${who.agent_id}`
      await Promise.all(all.map((who) => memory.remember(learnt(who, [secretOf(who)]))))
      for (const who of all) {
        const { facts } = await memory.recall({ ...who, token_budget: 32_000 })
        expect(textsOf(facts)).toEqual([secretOf(who)])
        const { agent_id: _, ...owner } = who
        const { memories } = await memory.listMemories(owner)
        const own = all.filter((one) => one.workspace_id === who.workspace_id && one.end_user_id === who.end_user_id)
        expect(textsOf(memories).sort()).toEqual(own.map(secretOf).sort())
      }
      await memory.forget(all[0]!)
      for (const [index, who] of all.entries()) {
        const { facts } = await memory.recall({ ...who, token_budget: 32_000 })
        expect(textsOf(facts)).toEqual(index === 0 ? [] : [secretOf(who)])
      }
    })

    test('has no row of another workspace, nor can one be written', async () => {
      const { memory, database } = installation
      const [here, there] = [someone(), someone()]
      for (const who of [here, there]) {
        await memory.forget(who)
        await memory.remember(learnt(who, ['Mine.'], new Date(Date.now() + 1_000)))
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
