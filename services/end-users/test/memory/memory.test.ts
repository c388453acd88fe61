import { randomUUID } from 'node:crypto'
import { describeWithPrograms } from '@parlance/testing'
import { mostFacts } from '../../src/memory/memory-repository.js'
import { type Installation, learnt, someone, startInstallation, textsOf } from './installation.js'

describeWithPrograms(['postgres'], 'what an Agent remembers of an end user', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await startInstallation()
  }, 60_000)
  afterAll(() => installation?.stop(), 30_000)

  const recall = async (who: ReturnType<typeof someone>, token_budget = 1_000) =>
    textsOf((await installation.memory.recall({ ...who, token_budget })).facts)
  const remember = (...given: Parameters<typeof learnt>) => installation.memory.remember(learnt(...given))

  test('is nothing at first, and then what was learnt, oldest first', async () => {
    const who = someone()
    expect(await recall(who)).toEqual([])
    expect(await remember(who, ['The user is called Ada.', 'The user likes tea.'])).toEqual({ kept: 2 })
    expect(await remember(who, ['The user lives in Ghent.'])).toEqual({ kept: 1 })
    expect(await recall(who)).toEqual(['The user is called Ada.', 'The user likes tea.', 'The user lives in Ghent.'])
  })

  test('is recalled as far as it fits, the newest first', async () => {
    const who = someone()
    await remember(who, ['a'.repeat(400), 'b'.repeat(40), 'c'.repeat(40)])
    expect(await recall(who, 24)).toEqual(['b'.repeat(40), 'c'.repeat(40)])
    expect(await recall(who, 23)).toEqual(['c'.repeat(40)])
    expect(await recall(who, 0)).toEqual([])
  })

  test('is kept once, however it is written', async () => {
    const who = someone()
    expect(await remember(who, ['The user likes tea.', 'the user  likes TEA'])).toEqual({ kept: 1 })
    expect(await remember(who, ['The user likes ｔｅａ!', 'The user likes coffee.'])).toEqual({ kept: 1 })
    expect(await recall(who)).toEqual(['The user likes tea.', 'The user likes coffee.'])
    expect(await remember(who, ['?!', '…'])).toEqual({ kept: 2 })
  })

  test('is not without a bound: the oldest goes', async () => {
    const who = someone()
    for (let from = 0; from < mostFacts + 10; from += 50) {
      await remember(
        who,
        Array.from({ length: Math.min(50, mostFacts + 10 - from) }, (_, index) => `Number ${from + index}`),
      )
    }
    const texts = await recall(who, 32_000)
    expect(texts).toHaveLength(mostFacts)
    expect([texts[0], texts.at(-1)]).toEqual(['Number 10', `Number ${mostFacts + 9}`])
  })

  test('is listed with where it comes from, page by page, of one Agent or of all', async () => {
    const who = someone()
    const there = { ...who, agent_id: randomUUID() }
    const here = learnt(who, ['one', 'two', 'three'])
    await installation.memory.remember(here)
    await remember(there, ['four'])
    const { agent_id, ...owner } = who

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

  test('holds whatever can be said, and a conversation that is not kept', async () => {
    const who = someone()
    const text = "'; drop table memories; -- \0 \ud800 日本語"
    const fact = { text, message_id: null, said_at: new Date().toISOString() }
    await installation.memory.remember({ ...who, session_id: randomUUID(), facts: [fact] })
    const { memories } = await installation.memory.listMemories(who)
    expect(memories).toMatchObject([{ text: "'; drop table memories; -- \ufffd \ufffd 日本語", message_id: null }])
  })

  test('is gone when it is forgotten: of one Agent, or of all', async () => {
    const who = someone()
    const there = { ...who, agent_id: randomUUID() }
    await remember(who, ['one', 'two'])
    await remember(there, ['three'])
    expect(await installation.memory.forget(who)).toEqual({ forgotten: 2 })
    expect([await recall(who), await recall(there)]).toEqual([[], ['three']])
    const { agent_id: _, ...owner } = who
    expect(await installation.memory.forget(owner)).toEqual({ forgotten: 1 })
    expect(await installation.memory.forget(owner)).toEqual({ forgotten: 0 })
    expect(await recall(there)).toEqual([])
  })

  test.each([
    ['this Agent', ({ agent_id, ...owner }: ReturnType<typeof someone>) => ({ ...owner, agent_id })],
    ['every Agent', ({ agent_id: _, ...owner }: ReturnType<typeof someone>) => owner],
  ])('does not come back with what was said before %s forgot it', async (_who, addressOf) => {
    const who = someone()
    const before = new Date()
    await installation.memory.forget(addressOf(who))
    expect(await remember(who, ['Said before.'], before)).toEqual({ kept: 0 })
    const after = new Date(Date.now() + 1_000)
    expect(await remember(who, ['Said after.'], after)).toEqual({ kept: 1 })
    expect(await recall(who)).toEqual(['Said after.'])
    // Who was not forgotten is not concerned.
    expect(await remember(someone({ ...who, end_user_id: randomUUID() }), ['Said before.'], before)).toEqual({
      kept: 1,
    })
  })

  test('is the same whichever of two conversations ends first, and nothing outlives a forgetting between them', async () => {
    for (let round = 0; round < 10; round++) {
      const who = someone()
      const said = new Date()
      const kept = Array.from({ length: 4 }, () => remember(who, ['The user likes tea.', 'The user lives here.'], said))
      const forgotten = installation.memory.forget(who)
      const all = await Promise.all(kept)
      const total = all.reduce((sum, { kept }) => sum + kept, 0)
      expect((await forgotten).forgotten).toBe(total)
      expect([0, 2]).toContain(total)
      expect(await recall(who)).toEqual([])
    }
  })

  test('and that it was forgotten is not kept for longer than anybody talks', async () => {
    const who = someone()
    await installation.memory.forget(who)
    const { database } = installation
    const rows = () =>
      database.inWorkspace(who.workspace_id, (transaction) => transaction.query('select end_user_id from forgotten'))
    await database.inWorkspace(who.workspace_id, (transaction) =>
      transaction.query(`update forgotten set forgotten_at = now() - interval '3 days'`),
    )
    const other = randomUUID()
    await installation.memory.forget({ ...who, end_user_id: other })
    expect(await rows()).toEqual([{ end_user_id: other }])
  })
})
