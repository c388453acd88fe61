import { randomUUID } from 'node:crypto'
import type { Voice } from '@parlance/contracts'
import { startWebhookReceiver } from '@parlance/testing'
import { type Api, createApi, expectError } from '../api.js'
import { eventually } from '../eventually.js'
import { newKey, onPlatform } from '../platforms.js'

export const agents = onPlatform('an Agent over HTTP', (platform) => {
  let authorization: string
  let api: Api
  let voice: Voice
  let slugs = 0

  const config = (fields: object = {}) => ({
    slug: `agent-${++slugs}`,
    display_name: 'Front desk',
    voice_id: voice.id,
    voice_config: { tts_variant: voice.variants[0]!.id },
    llm_provider: 'builtin',
    llm_model: 'rules',
    ...fields,
  })
  const create = async (fields: object = {}): Promise<string> => {
    const { status, body } = await api.post('/v1/agents', config(fields))
    expect(status).toBe(201)
    return body.id
  }
  const publish = (id: string, body?: object) => api.post(`/v1/agents/${id}/publish`, body)
  beforeAll(async () => {
    authorization = (await newKey(platform())).authorization
    api = createApi(platform().urls[0], authorization)
    voice = await api.voice()
  })

  test('goes from a draft over publications back to an older one', async () => {
    const id = await create()
    const read = async () => (await api.get(`/v1/agents/${id}`)).body
    expect(await read()).toMatchObject({ state: 'draft', api_ready: false, active_publication: null })
    expect((await publish(id)).status).toBe(201)
    expect((await publish(id)).status).toBe(200)
    expect(await read()).toMatchObject({ state: 'published', api_ready: true })

    await api.patch(`/v1/agents/${id}`, { memory_enabled: true, turn_config: { endpointing_min_ms: 400 } })
    expect(await read()).toMatchObject({
      memory_enabled: true,
      turn_config: { endpointing_min_ms: 400, endpointing_max_ms: 3000 },
      draft_revision: { version: 2 },
      active_publication: { version: 1, memory_enabled: false },
    })
    expect(await publish(id)).toMatchObject({ status: 201, body: { version: 2, memory_enabled: true } })

    const { revisions } = (await api.get(`/v1/agents/${id}/revisions?order=asc`)).body
    expect(revisions.map(({ version }: { version: number }) => version)).toEqual([1, 2])
    const rolledBack = await publish(id, { revision_id: revisions[0].id })
    expect(rolledBack).toMatchObject({ status: 201, body: { version: 3, revision: { version: 1 } } })
    const { publications } = (await api.get(`/v1/agents/${id}/publications?limit=2`)).body
    expect(publications.map(({ version }: { version: number }) => version)).toEqual([3, 2])
  })

  test('without a TTS variant is published, and is not ready', async () => {
    const id = await create({ voice_config: {} })
    expect(await publish(id)).toMatchObject({ status: 201, body: { api_ready: false } })
    expect((await api.get(`/v1/agents/${id}`)).body).toMatchObject({ state: 'published', api_ready: false })
  })

  test('that is deleted cannot be read, and its slug can be used again', async () => {
    const id = await create({ slug: 'reused' })
    expectError(await api.post('/v1/agents', config({ slug: 'reused' })), 409, 'slug_taken')
    expect((await api.delete(`/v1/agents/${id}`)).status).toBe(204)
    for (const answer of [await api.get(`/v1/agents/${id}`), await publish(id), await api.delete(`/v1/agents/${id}`)]) {
      expectError(answer, 404, 'agent_not_found')
    }
    await create({ slug: 'reused' })
  })

  test.each([
    ['an unknown field', { color: 'red' }, 'color'],
    ['an unknown field inside a config', { llm_config: { top_p: 1 } }, 'llm_config.top_p'],
    ['a slug in mixed scripts', { slug: 'fr\u043ent-desk' }, 'slug'],
    ['a slug like an id', { slug: randomUUID() }, 'slug'],
    ['a voice that is not an id', { voice_id: 'Ada' }, 'voice_id'],
    ['an origin with a path', { session_config: { allowed_origins: ['https://a.example/b'] } }, 'allowed_origins'],
  ])('with %s is refused, and the answer names the field', async (_what, fields, field) => {
    const answer = await api.post('/v1/agents', config(fields))
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.detail).toContain(field)
  })

  test('with a voice that no engine offers is not publishable, and a dry run reports why', async () => {
    const id = await create({ voice_id: '0'.repeat(32), avatar_id: 'unknown', llm_provider: 'unheard-of' })
    expectError(await publish(id), 422, 'agent_not_publishable')
    const dry = await api.post(`/v1/agents/${id}/publish?dry_run=true`)
    expect(dry.status).toBe(200)
    expect(dry.body).toMatchObject({ publishable: false })
    expect(dry.body.problems.map(({ code }: { code: string }) => code).sort()).toEqual([
      'avatar_not_found',
      'llm_provider_unknown',
      'voice_not_found',
    ])
  })

  test('whose voice does not speak the language that it recognizes is published, and a dry run warns', async () => {
    const [german] = (await api.get('/v1/voices?language=de')).body.voices
    const id = await create({ voice_id: german.id, voice_config: { tts_variant: german.variants[0].id } })
    const { body } = await api.post(`/v1/agents/${id}/publish?dry_run=true`)
    expect(body).toMatchObject({ publishable: true, api_ready: true, problems: [] })
    expect(body.warnings).toMatchObject([{ field: 'stt_config.language', code: 'language_not_spoken' }])
    expect((await publish(id)).status).toBe(201)
  })

  test('is given an avatar of the catalog, whose file any page may load', async () => {
    const [avatar] = (await api.get('/v1/avatars?limit=1')).body.avatars
    const id = await create({ avatar_id: avatar.id })
    expect((await publish(id)).status).toBe(201)
    const file = await fetch(`${platform().urls.at(-1)}${avatar.asset.url}`)
    expect(file.headers.get('access-control-allow-origin')).toBe('*')
    const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
    expect(Buffer.from(digest).toString('hex')).toBe(avatar.asset.sha256)
  })

  test('that two requests change at once with If-Match is changed by one of them', async () => {
    const id = await create()
    const { headers } = await api.get(`/v1/agents/${id}`)
    const etag = headers.get('etag')!
    expect(etag).toBe('"rev-1"')
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((display_name) =>
        api.patch(`/v1/agents/${id}`, { display_name }, { 'if-match': etag }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
  })

  test('that is published, and a key that is revoked, are events that a webhook is sent once each', async () => {
    const receiver = await startWebhookReceiver()
    const { url, received } = receiver
    const { workspace, authorization: own } = await newKey(platform())
    const owner = createApi(platform().urls[0], own)
    const events = ['agent.published', 'api_key.revoked']
    const webhook = (await owner.post('/v1/webhooks', { url, events })).body
    expect(webhook).toMatchObject({ url, events, enabled: true, secret: expect.stringMatching(/^whsec_/) })

    const agent = (await owner.post('/v1/agents', config())).body
    const publication = (await owner.post(`/v1/agents/${agent.id}/publish`)).body
    const { id: key_id } = await platform().auth.createKey({ workspace_id: workspace.id, label: 'Other' })
    await platform().auth.revokeKey({ workspace_id: workspace.id, key_id })
    await eventually(() => received.length >= 2 || undefined)
    const bodies = received.map(({ body }) => JSON.parse(body)).toSorted((a, b) => a.type.localeCompare(b.type))
    expect(bodies).toMatchObject([
      { type: 'agent.published', data: { agent_id: agent.id, publication: { id: publication.id, version: 1 } } },
      { type: 'api_key.revoked', data: { key_id, label: 'Other' } },
    ])
    const log = await eventually(async () => {
      const { deliveries } = (await owner.get(`/v1/webhooks/${webhook.id}/deliveries?status=succeeded`)).body
      return deliveries.length === 2 ? deliveries : undefined
    })
    expect(log.map(({ event_id }: { event_id: string }) => event_id).sort()).toEqual(
      received.map(({ headers }) => headers['webhook-id']).sort(),
    )
    await receiver.stop()
  })

  test('created several times with one idempotency key is created once, through any gateway', async () => {
    const body = config()
    const key = { 'idempotency-key': randomUUID() }
    const apis = platform().urls.map((url) => createApi(url, authorization))
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => apis[n % apis.length]!.post('/v1/agents', body, key)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201))
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(5)
    expectError(await api.post('/v1/agents', config(), key), 409, 'idempotency_conflict')
  })

  test('of a workspace that lacks the capability or is suspended cannot be reached', async () => {
    const other = await newKey(platform(), { capabilities: ['tts'] })
    const speaker = createApi(platform().urls[0], other.authorization)
    expectError(await speaker.get('/v1/agents'), 403, 'capability_disabled')
    expect((await speaker.get('/v1/voices')).status).toBe(200)
    await platform().auth.updateWorkspace({ workspace_id: other.workspace.id, suspended: true })
    expectError(await speaker.get('/v1/agents'), 403, 'organization_suspended')
    expectError(await speaker.get('/v1/voices'), 403, 'organization_suspended')
  })
})
