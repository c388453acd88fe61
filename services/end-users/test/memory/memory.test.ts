import { randomUUID } from 'node:crypto'
import { describeWithPrograms } from '@parlance/testing'
import { maxFacts } from '../../src/memory/memory-repository.js'
import { extracted, type Installation, newScope, startInstallation, textsOf } from './memory-scene.js'

describeWithPrograms(['postgres'], 'the memory of an Agent about an end user', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await startInstallation()
  })
  afterAll(() => installation?.stop())

  const recall = async (scope: ReturnType<typeof newScope>, token_budget = 1_000) =>
    textsOf((await installation.memory.recall({ ...scope, token_budget })).facts)
  const remember = (...given: Parameters<typeof extracted>) => installation.memory.remember(extracted(...given))

  test('is empty at first, and then contains the stored facts, oldest first', async () => {
    const scope = newScope()
    expect(await recall(scope)).toEqual([])
    expect(await remember(scope, ['The user is called Ada.', 'The user likes tea.'])).toEqual({ kept: 2 })
    expect(await remember(scope, ['The user lives in Ghent.'])).toEqual({ kept: 1 })
    expect(await recall(scope)).toEqual(['The user is called Ada.', 'The user likes tea.', 'The user lives in Ghent.'])
  })

  test('returns as many facts as fit into the budget, the newest first', async () => {
    const scope = newScope()
    await remember(scope, ['a'.repeat(400), 'b'.repeat(40), 'c'.repeat(40)])
    expect(await recall(scope, 24)).toEqual(['b'.repeat(40), 'c'.repeat(40)])
    expect(await recall(scope, 23)).toEqual(['c'.repeat(40)])
    expect(await recall(scope, 0)).toEqual([])
  })

  test('stores a fact once, in any case, punctuation and width', async () => {
    const scope = newScope()
    expect(await remember(scope, ['The user likes tea.', 'the user  likes TEA'])).toEqual({ kept: 1 })
    expect(await remember(scope, ['The user likes ｔｅａ!', 'The user likes coffee.'])).toEqual({ kept: 1 })
    expect(await recall(scope)).toEqual(['The user likes tea.', 'The user likes coffee.'])
    expect(await remember(scope, ['?!', '…'])).toEqual({ kept: 2 })
  })

  test('has a limit, beyond which the oldest facts are deleted', async () => {
    const scope = newScope()
    for (let from = 0; from < maxFacts + 10; from += 50) {
      await remember(
        scope,
        Array.from({ length: Math.min(50, maxFacts + 10 - from) }, (_, index) => `Number ${from + index}`),
      )
    }
    const texts = await recall(scope, 32_000)
    expect(texts).toHaveLength(maxFacts)
    expect([texts[0], texts.at(-1)]).toEqual(['Number 10', `Number ${maxFacts + 9}`])
  })

  test('is listed with its conversations and messages, page by page, of one Agent or of all', async () => {
    const scope = newScope()
    const there = { ...scope, agent_id: randomUUID() }
    const here = extracted(scope, ['one', 'two', 'three'])
    await installation.memory.remember(here)
    await remember(there, ['four'])
    const { agent_id, ...owner } = scope

    const { memories } = await installation.memory.listMemories({ ...owner, order: 'asc', limit: 100 })
    expect(textsOf(memories)).toEqual(['one', 'two', 'three', 'four'])
    expect(memories[1]).toMatchObject({
      agent_id,
      session_id: here.session_id,
      message_id: here.facts[1]!.message_id,
    })
    const paged: string[] = []
    let cursor: string | undefined
    do {
      const page = await installation.memory.listMemories({
        ...owner,
        limit: 1,
        agent_id,
        ...(cursor !== undefined && { cursor }),
      })
      paged.push(...textsOf(page.memories))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    expect(paged).toEqual(['three', 'two', 'one'])
    await expect(installation.memory.listMemories({ ...owner, limit: 1, cursor: 'x' })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  test('stores any text, and facts of a conversation without a transcript', async () => {
    const scope = newScope()
    const text = "'; drop table memories; -- \0 \ud800 日本語"
    const fact = { text, message_id: null, said_at: new Date().toISOString() }
    await installation.memory.remember({ ...scope, session_id: randomUUID(), facts: [fact] })
    const { memories } = await installation.memory.listMemories(scope)
    expect(memories).toMatchObject([{ text: "'; drop table memories; -- \ufffd \ufffd 日本語", message_id: null }])
  })

  test('does not exist after its deletion, for one Agent or for all', async () => {
    const scope = newScope()
    const there = { ...scope, agent_id: randomUUID() }
    await remember(scope, ['one', 'two'])
    await remember(there, ['three'])
    expect(await installation.memory.forget(scope)).toEqual({ forgotten: 2 })
    expect([await recall(scope), await recall(there)]).toEqual([[], ['three']])
    const { agent_id: _, ...owner } = scope
    expect(await installation.memory.forget(owner)).toEqual({ forgotten: 1 })
    expect(await installation.memory.forget(owner)).toEqual({ forgotten: 0 })
    expect(await recall(there)).toEqual([])
  })

  test.each([
    ['this Agent', ({ agent_id, ...owner }: ReturnType<typeof newScope>) => ({ ...owner, agent_id })],
    ['every Agent', ({ agent_id: _, ...owner }: ReturnType<typeof newScope>) => owner],
  ])('does not get facts from messages before it was deleted for %s', async (_which, addressOf) => {
    const scope = newScope()
    const before = new Date()
    await installation.memory.forget(addressOf(scope))
    expect(await remember(scope, ['Said before.'], before)).toEqual({ kept: 0 })
    const after = new Date(Date.now() + 1_000)
    expect(await remember(scope, ['Said after.'], after)).toEqual({ kept: 1 })
    expect(await recall(scope)).toEqual(['Said after.'])
    // Other end users are not affected.
    expect(await remember(newScope({ ...scope, end_user_id: randomUUID() }), ['Said before.'], before)).toEqual({
      kept: 1,
    })
  })

  test('is the same when either of two conversations ends first, and no fact survives a deletion between them', async () => {
    for (let round = 0; round < 10; round++) {
      const scope = newScope()
      const messageAt = new Date()
      const kept = Array.from({ length: 4 }, () =>
        remember(scope, ['The user likes tea.', 'The user lives here.'], messageAt),
      )
      const deletion = installation.memory.forget(scope)
      const all = await Promise.all(kept)
      const total = all.reduce((sum, { kept }) => sum + kept, 0)
      expect((await deletion).forgotten).toBe(total)
      expect([0, 2]).toContain(total)
      expect(await recall(scope)).toEqual([])
    }
  })

  test('keeps the time of a deletion no longer than a conversation can last', async () => {
    const scope = newScope()
    await installation.memory.forget(scope)
    const { database } = installation
    const rows = () =>
      database.inWorkspace(scope.workspace_id, (transaction) => transaction.query('select end_user_id from forgotten'))
    await database.inWorkspace(scope.workspace_id, (transaction) =>
      transaction.query(`update forgotten set forgotten_at = now() - interval '3 days'`),
    )
    const other = randomUUID()
    await installation.memory.forget({ ...scope, end_user_id: other })
    expect(await rows()).toEqual([{ end_user_id: other }])
  })
})
