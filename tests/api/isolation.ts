import { randomUUID } from 'node:crypto'
import { type Api, createApi, tokenOf } from '../api.js'
import { eventually } from '../eventually.js'
import { newKey, onPlatform } from '../platforms.js'

interface Operation {
  method: string
  path: string
  operationId: string
  hasBody: boolean
}

const file = new FormData()
file.append('file', new Blob(['We open at nine.'], { type: 'text/plain' }), 'hours.txt')

/** A body with which the operation would succeed on an Agent of the caller's workspace. */
const bodies: Record<string, unknown> = {
  addKnowledgeFile: file,
  giveFeedback: { score: 1 },
  updateAgent: { display_name: 'Taken over' },
  startSession: { transport: 'websocket' },
  updateSession: { candidates: [] },
  updateWebhook: { enabled: false },
}

/** Browsers call these operations with a session token. */
const takesToken = (operationId: string) => ['startSession', 'updateSession', 'endSession'].includes(operationId)

export const isolation = onPlatform('two workspaces', (platform) => {
  let owner: Api
  let ownersWorkspaceId: string
  let other: Api
  let agentId: string
  /** A conversation with it. */
  let sessionId: string
  let webhookId: string
  let fileId: string
  let othersAgentId: string
  let operations: Operation[]
  /** A session token for the other workspace's Agent. */
  let othersToken: string

  beforeAll(async () => {
    const [url] = platform().urls
    const ownersKey = await newKey(platform())
    owner = createApi(url, ownersKey.authorization)
    ownersWorkspaceId = ownersKey.workspace.id
    other = createApi(url, (await newKey(platform())).authorization)
    const voice = await owner.voice()
    const agent = {
      slug: 'front-desk',
      display_name: 'Front desk',
      voice_id: voice.id,
      voice_config: { tts_variant: voice.variants[0]!.id },
      llm_provider: 'builtin',
      llm_model: 'rules',
    }
    const create = async (api: Api) => {
      const created = await api.post('/v1/agents', agent)
      expect(created.status).toBe(201)
      expect((await api.post(`/v1/agents/${created.body.id}/publish`)).status).toBe(201)
      return created.body.id as string
    }
    agentId = await create(owner)
    // Both have the same slug: slugs are unique within a workspace only.
    othersAgentId = await create(other)
    othersToken = tokenOf(await other.post(`/v1/agents/${othersAgentId}/session-tokens`))
    expect(othersToken).toMatch(/^awst_/)
    const { token } = (await owner.post(`/v1/agents/${agentId}/session-tokens`)).body
    const started = await owner.post(`/v1/agents/${agentId}/sessions`, bodies.startSession, {
      authorization: `Bearer ${token}`,
    })
    sessionId = started.body.session_id
    // Ended, so that only another workspace could change its record.
    await owner.send('DELETE', `/v1/agents/${agentId}/sessions/${sessionId}`, undefined, {
      authorization: `Bearer ${token}`,
    })

    const hook = { url: 'https://example.com/hooks', events: ['agent.published'] }
    webhookId = (await owner.post('/v1/webhooks', hook)).body.id
    fileId = (await owner.post(`/v1/agents/${agentId}/knowledge`, file)).body.id

    const { paths } = (await owner.get('/v1/openapi.json')).body
    operations = Object.entries<Record<string, { operationId: string; requestBody?: object }>>(paths)
      // A caller chooses the ids of its end users: the same id in another workspace is another end user. Voices belong to no
      // workspace.
      .filter(([path]) => /\{\w+Id\}/.test(path) && !/\{(endUser|voice)Id\}/.test(path))
      .flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
          .map(([method, { operationId, requestBody }]) => ({
            method: method.toUpperCase(),
            path,
            operationId,
            hasBody: requestBody !== undefined,
          })),
      )
  })

  const idFor = ({ path }: Operation): string =>
    path.includes('{webhookId}') ? webhookId : path.includes('{sessionId}') ? sessionId : agentId

  const call = (api: Api, { method, path, operationId, hasBody }: Operation, id: string) =>
    api.send(
      method,
      // The other workspace uses its own Agent: with another Agent's id the answer is about the token and not about the session.
      path.includes('{sessionId}')
        ? path.replace('{agentId}', othersAgentId).replace('{sessionId}', id)
        : path
            .replace(/\{(agent|webhook)Id\}/, id)
            .replace('{deliveryId}', othersAgentId)
            .replace('{fileId}', fileId),
      hasBody ? (bodies[operationId] ?? {}) : undefined,
      takesToken(operationId) ? { authorization: `Bearer ${othersToken}` } : {},
    )

  test('the document names the operations that take an id', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'DELETE /v1/agent-sessions/{sessionId}',
      'DELETE /v1/agents/{agentId}',
      'DELETE /v1/agents/{agentId}/knowledge/{fileId}',
      'DELETE /v1/agents/{agentId}/sessions/{sessionId}',
      'DELETE /v1/webhooks/{webhookId}',
      'GET /v1/agent-sessions/{sessionId}',
      'GET /v1/agent-sessions/{sessionId}/messages',
      'GET /v1/agents/{agentId}',
      'GET /v1/agents/{agentId}/knowledge',
      'GET /v1/agents/{agentId}/knowledge/{fileId}',
      'GET /v1/agents/{agentId}/publications',
      'GET /v1/agents/{agentId}/revisions',
      'GET /v1/agents/{agentId}/sessions/{sessionId}/stream',
      'GET /v1/webhooks/{webhookId}',
      'GET /v1/webhooks/{webhookId}/deliveries',
      'PATCH /v1/agents/{agentId}',
      'PATCH /v1/agents/{agentId}/sessions/{sessionId}',
      'PATCH /v1/webhooks/{webhookId}',
      'POST /v1/agent-sessions/{sessionId}/feedback',
      'POST /v1/agents/{agentId}/knowledge',
      'POST /v1/agents/{agentId}/publish',
      'POST /v1/agents/{agentId}/session-tokens',
      'POST /v1/agents/{agentId}/sessions',
      'POST /v1/public/agents/{agentId}/session-tokens',
      'POST /v1/realtime/calls/{sessionId}/hangup',
      'POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
      'POST /v1/webhooks/{webhookId}/rotate-secret',
    ])
  })

  test("another's resource is answered like one that does not exist, and is not changed", async () => {
    const resources = () =>
      Promise.all(
        [`/v1/agents/${agentId}`, `/v1/agent-sessions/${sessionId}`, `/v1/webhooks/${webhookId}`].map((path) =>
          owner.get(path),
        ),
      )
    const before = (await resources()).map(({ body }) => body)
    expect(before).toMatchObject([{ id: agentId }, { id: sessionId, status: 'ended' }, { id: webhookId }])
    const known = async (operation: Operation, id: string) => {
      const { status, body } = await call(other, operation, id)
      return { status, body: { ...body, request_id: '' } }
    }
    for (const operation of operations) {
      const ofOther = await known(operation, idFor(operation))
      expect(ofOther).toEqual(await known(operation, randomUUID()))
      // A session token is for one Agent: for any other id, known or not, the answer is 403.
      const { operationId } = operation
      // A request for a WebSocket without an upgrade is answered with 400.
      expect(ofOther.status).toBe(operationId === 'startSession' ? 403 : operationId === 'connectSession' ? 400 : 404)
    }
    expect((await resources()).map(({ body }) => body)).toEqual(before)
    expect((await other.get('/v1/agent-sessions')).body.sessions).toEqual([])
  })

  test("no filter of a list shows another workspace's resources", async () => {
    for (const query of ['', '?slug=front-desk', '?q=front', '?state=published', '?order=asc&limit=1']) {
      const { body } = await other.get(`/v1/agents${query}`)
      expect(body.agents).toHaveLength(1)
      expect(body.agents[0].id).not.toBe(agentId)
    }
    const { next_cursor: cursor } = (await owner.get('/v1/agents?limit=1')).body
    expect(cursor).toBeNull()
  })

  test('an end user id has a calendar and a feed of its own in each workspace', async () => {
    const endUserId = randomUUID()
    const path = `/v1/end-users/${endUserId}/calendar`
    const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 16)
    await platform().calendar.createEvent({
      workspace_id: ownersWorkspaceId,
      end_user_id: endUserId,
      event: { title: 'Mine', starts_at: tomorrow, duration_minutes: 30, time_zone: 'UTC', recurrence: null },
    })
    const of = async (api: Api) => {
      const { body } = await api.get(path)
      const feed = await fetch(body.feed_url)
      const titles = body.occurrences.map(({ title }: { title: string }) => title)
      return { titles, feedUrl: body.feed_url as string, feed: { status: feed.status, text: await feed.text() } }
    }
    const ofOwner = await of(owner)
    expect(ofOwner).toMatchObject({
      titles: ['Mine'],
      feed: { status: 200, text: expect.stringContaining('SUMMARY:Mine') },
    })
    const ofOther = await of(other)
    expect(ofOther).toMatchObject({
      titles: [],
      feed: { status: 200, text: expect.not.stringContaining('SUMMARY') },
    })
    expect((await other.delete(path)).status).toBe(204)
    expect(await of(owner)).toEqual(ofOwner)
    expect((await fetch(ofOther.feedUrl)).status).toBe(404)
    expect((await owner.delete(path)).status).toBe(204)
    expect((await fetch(ofOwner.feedUrl)).status).toBe(404)
  })

  test('credit and usage are separate: what one workspace spends is neither charged nor shown to the other', async () => {
    const speech = { text: 'Mine.', voice_id: (await owner.voice()).id, response_mode: 'json' }
    expect((await owner.post('/v1/tts', speech)).status).toBe(200)
    const used = async (api: Api) => (await api.get('/v1/usage?group_by=kind')).body.usage
    const [ofOwner] = await eventually(async () => {
      const usage = await used(owner)
      return usage.length > 0 ? usage : undefined
    })
    expect(ofOwner).toMatchObject({ key: 'tts', operations: 1, tts_characters: 5 })
    expect(Number((await owner.get('/v1/credit')).body.balance)).toBeCloseTo(100 - Number(ofOwner.credit_used), 9)
    expect((await other.get('/v1/credit')).body).toMatchObject({ balance: '100.00', reserved: '0.00' })
    for (const grouping of ['day', 'agent', 'api_key', 'kind']) {
      expect((await other.get(`/v1/usage?group_by=${grouping}`)).body.usage).toEqual([])
    }
  })

  test("the time of an answer does not reveal whether another's resource exists", async () => {
    const timed = async (operation: Operation, id: string) => {
      const begunMs = performance.now()
      await call(other, operation, id)
      return performance.now() - begunMs
    }
    const ratios: Record<string, number> = {}
    for (const operation of operations) {
      const fastest = { ofOther: Number.POSITIVE_INFINITY, ofUnknown: Number.POSITIVE_INFINITY }
      const ratio = () => fastest.ofOther / fastest.ofUnknown
      const isAlike = () => ratio() > 0.67 && ratio() < 1.5
      // Other work on the machine only adds to a time: the fastest of many is that of the answer itself.
      for (let round = 1; round <= 3 || (!isAlike() && round <= 200); round++) {
        fastest.ofOther = Math.min(fastest.ofOther, await timed(operation, idFor(operation)))
        fastest.ofUnknown = Math.min(fastest.ofUnknown, await timed(operation, randomUUID()))
      }
      if (!isAlike()) ratios[operation.operationId] = ratio()
    }
    expect(ratios).toEqual({})
  })
})
