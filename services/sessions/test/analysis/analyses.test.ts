/** Analyses of conversations of the whole service, by a model behind a server with OpenAI's protocol. */
import { webhookEventSchema } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { type ChatCompletionsStandIn, startChatCompletionsStandIn } from '@parlance/testing/stand-ins'
import { createRemoteProvider } from '../../src/llm/ai-language-model.js'
import { connectClient } from '../fake-client.js'
import { type Installation, startInstallation } from '../installation.js'

const criterion = { name: 'Greeted', description: 'The assistant greeted the user.' }
const point = { name: 'Name', type: 'string', description: 'The name of the user.' } as const
const evaluation = { criteria: [criterion], data: [point] }
const answer = JSON.stringify({ criteria: { 1: { result: 'success', reason: 'It did.' } }, data: { 1: 'Ada' } })
const judged = {
  ...{ status: 'succeeded', error: null, analyzed_at: expect.stringMatching(/Z$/) },
  criteria: [{ ...criterion, result: 'success', reason: 'It did.' }],
  data: [{ ...point, value: 'Ada' }],
}

describeWithPrograms(['postgres'], 'a conversation of an Agent with an evaluation', () => {
  let installation: Installation
  let server: ChatCompletionsStandIn
  let workspaceId: string
  beforeAll(async () => {
    server = await startChatCompletionsStandIn({ text: answer })
    const models = await createRemoteProvider('openai_compatible', { url: server.baseUrl, key: 'any' })
    const findLanguageModel = (_provider: string, model: string) => models(model)
    installation = await startInstallation({ parts: { findLanguageModel } })
    workspaceId = await installation.newWorkspace()
  })
  afterAll(async () => {
    await installation.stop()
    await server.close()
  })
  beforeEach(() => server.script({ text: answer }))

  const newAgent = async (fields: Parameters<Installation['newAgent']>[0] = {}) => {
    const agentId = installation.newAgent({ llm_provider: 'openai_compatible', ...fields })
    await installation.records.putEvaluation({ workspace_id: workspaceId, agent_id: agentId, evaluation })
    return agentId
  }

  const eventually = async <Found>(find: () => Promise<Found | undefined | null | false>): Promise<Found> => {
    for (;;) {
      const found = await find()
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** Returns the address of a conversation that has ended. */
  const converse = async (agentId: string, ...texts: string[]) => {
    const { session_id } = await installation.start(workspaceId, agentId)
    const address = { workspace_id: workspaceId, session_id }
    const peer = connectClient(installation, address, 'sessions-0')
    await peer.send({ event: 'client.ready' })
    await peer.event('session.ready')
    for (const text of texts) {
      await peer.say(text)
      await peer.event('transcript', (event) => 'role' in event && event.role === 'agent' && event.text === text)
    }
    await installation.live.endSession({ ...address, reason: 'api_ended' }, { instance: 'sessions-0' })
    await peer.closed
    await eventually(async () => (await installation.records.getSession(address)).status === 'ended')
    return address
  }

  type Address = Awaited<ReturnType<typeof converse>>
  const analysisOf = (address: Address) =>
    eventually(async () => {
      const { analysis } = await installation.records.getAnalysis(address)
      return analysis?.status !== 'pending' && analysis
    })
  const inDatabase = (statement: string, parameters: readonly unknown[]) =>
    installation.database.inWorkspace(workspaceId, (transaction) =>
      transaction.query<Record<string, unknown>>(statement, [...parameters]),
    )
  const eventsOf = async ({ session_id }: Address) => {
    const rows = await inDatabase(
      `select payload from outbox where payload->>'type' = 'agent_session.analyzed' and payload->'data'->>'session_id' = $1`,
      [session_id],
    )
    return rows.map(({ payload }) => webhookEventSchema.parse(payload))
  }

  test('is judged by its model from the transcript and the calls, and webhooks are sent the result', async () => {
    const agentId = await newAgent()
    const address = await converse(agentId, 'Call me Ada', 'Hello')
    expect(await analysisOf(address)).toEqual(judged)
    const data = { session_id: address.session_id, agent_id: agentId, end_user_id: null, ...judged }
    expect(await eventsOf(address)).toEqual([{ type: 'agent_session.analyzed', data }])

    const { messages } = server.lastPrompt()
    const [question] = messages.map(({ text }) => text)
    expect(question).toContain(JSON.stringify({ number: 1, ...criterion }))
    expect(question).toContain(JSON.stringify({ said_by: 'user', text: 'Call me Ada' }))
    expect(question).toContain('"call":"find_order"')
    expect(server.requests.at(-1)!.body).toMatchObject({ model: 'r', temperature: 0 })
  })

  test('counts the tokens of the judgment in its record and in the usage of the workspace', async () => {
    server.script({ text: answer, usage: { inputTokens: 1_000, outputTokens: 70 } })
    const address = await converse(await newAgent(), 'Hello')
    await analysisOf(address)
    const { usage } = await installation.records.getSession(address)
    // The conversation itself used 10 and 5.
    expect(usage).toMatchObject({ llm_input_tokens: 1_010, llm_output_tokens: 75 })
    await eventually(async () => {
      const spent = await installation.credit.getUsage({
        ...{ workspace_id: workspaceId, group_by: 'agent' },
        from: new Date(Date.now() - 3_600_000).toISOString(),
        to: new Date(Date.now() + 60_000).toISOString(),
      })
      return spent.usage.some(({ llm_input_tokens }) => llm_input_tokens === 1_010)
    })
  })

  test('is judged again when the first answer has an invalid form, and the model receives the problem', async () => {
    server.script((lastText) => ({
      text: lastText.startsWith('Your answer cannot be used') ? answer : 'It went well.',
    }))
    const address = await converse(await newAgent(), 'Hello')
    expect(await analysisOf(address)).toEqual(judged)
    expect(server.lastPrompt().messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  test('stores a failure and sends its event', async () => {
    server.script({ text: 'It went well.' })
    const address = await converse(await newAgent(), 'Hello')
    const failure = { ...judged, status: 'failed', criteria: [], data: [], error: expect.stringContaining('twice') }
    expect(await analysisOf(address)).toEqual(failure)
    expect(await eventsOf(address)).toMatchObject([{ data: { status: 'failed' } }])
    const byRules = await converse(await newAgent({ llm_provider: 'builtin' }), 'Hello')
    expect(await analysisOf(byRules)).toMatchObject({ status: 'failed', error: expect.stringContaining('built-in') })
  })

  test('is analyzed later when its server stopped in the middle of an attempt, and its event is sent once', async () => {
    const agentId = await newAgent()
    server.script({ text: answer, firstTokenMs: 2_500 })
    const asked = server.requests.length
    const address = await converse(agentId, 'Hello')
    await eventually(async () => server.requests.length > asked)
    // The attempt of a server that was killed: its lease is over.
    await inDatabase(`update analyses set next_attempt_at = now() where session_id = $1`, [address.session_id])
    server.script({ text: answer })
    expect(await analysisOf(address)).toEqual(judged)
    expect(await eventsOf(address)).toHaveLength(1)
  })

  test('is not analyzed without a message of the user, without an evaluation, or where messages are not stored', async () => {
    const silent = await converse(await newAgent())
    const unasked = await converse(installation.newAgent(), 'Hello')
    const unstored = await converse(await newAgent({ session_config: { store_transcript: false } }), 'Hello')
    for (const address of [silent, unasked, unstored]) {
      await eventually(async () => (await installation.records.getAnalysis(address)).analysis === null)
      expect(await eventsOf(address)).toEqual([])
    }
  })

  test('has only the evaluation of its own workspace, and none once that is emptied', async () => {
    const agent_id = await newAgent()
    const mine = { workspace_id: workspaceId, agent_id }
    expect(await installation.records.getEvaluation(mine)).toEqual(evaluation)
    const theirs = { workspace_id: await installation.newWorkspace(), agent_id }
    expect(await installation.records.getEvaluation(theirs)).toEqual({ criteria: [], data: [] })
    await installation.records.putEvaluation({ ...mine, evaluation: { criteria: [], data: [] } })
    expect(await installation.records.getEvaluation(mine)).toEqual({ criteria: [], data: [] })
  })
})
