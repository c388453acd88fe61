import { randomUUID } from 'node:crypto'
import { maxMessageBytes } from '@parlance/bus'
import { maxModelProviders } from '@parlance/contracts'
import { describeWithPrograms, startPostgresServer, type TestServer } from '@parlance/testing'
import pg from 'pg'
import { openBrowser, publicUrl } from '../services/auth/test/people/people-scene.js'
import { createApi } from './api.js'
import { newKey, startTogether, type TestPlatform } from './platforms.js'
import { publishAgent } from './publish-agent.js'

/** More than fit into one message, and than a list has. */
const rows = 3_000

describeWithPrograms(['postgres'], 'with three thousand rows', () => {
  let platform: TestPlatform
  let postgres: TestServer
  let database: pg.Client
  let headers: Record<'key' | 'browser', Record<string, string>>
  let browser: ReturnType<typeof openBrowser>
  const ids = {
    workspace: '',
    agent: '',
    session: randomUUID(),
    endpoint: randomUUID(),
    endUser: randomUUID(),
    person: '',
  }

  beforeAll(async () => {
    postgres = await startPostgresServer()
    platform = await startTogether({
      PUBLIC_URL: publicUrl,
      DATABASE_URL: postgres.url,
      RATE_LIMIT_PER_MINUTE: '100000',
    })
    database = new pg.Client(postgres.url)
    await database.connect()
    // Triggers of its tables call functions by their names alone.
    await database.query('set search_path = auth')
    const { workspace, authorization } = await newKey(platform)
    const email = 'ada@example.com'
    ids.workspace = workspace.id
    ids.person = (await platform.people.addPerson({ email, workspace_id: workspace.id, role: 'owner' })).id
    await platform.people.setOperator({ email, is_operator: true })
    browser = openBrowser(platform)
    await browser.signIn(email)
    headers = {
      key: { authorization },
      browser: { cookie: browser.cookie(), 'x-parlance-workspace': workspace.id },
    }
    const api = createApi(platform.urls[0], authorization)
    ids.agent = await publishAgent(api, { voice: await api.voice() })
    await addRows()
  })
  afterAll(async () => {
    await database?.end()
    await platform?.stop()
    await postgres?.stop()
  })

  /** In each table, beside the row of the workspace, person and Agent that were made as clients make them. */
  const addRows = async (): Promise<void> => {
    const { workspace, agent, session, endpoint, endUser, person } = ids
    const text = `repeat('word ', 40)`
    const series = `from generate_series(1, ${rows}) as n`
    // One statement each, since rows refer to rows of the statements before.
    for (const sql of [
      `with made as (
         insert into agents.agents (workspace_id, slug, search_text) select '${workspace}', 'agent-' || n, '' ${series}
         returning id)
       insert into agents.revisions (workspace_id, agent_id, version, config, config_bytes)
       select '${workspace}', made.id, 1, config, config_bytes from made, agents.revisions where agent_id = '${agent}'`,
      `insert into agents.revisions (workspace_id, agent_id, version, config, config_bytes)
       select workspace_id, agent_id, n + 1, config, config_bytes
       from agents.revisions, generate_series(1, ${rows}) as n where agent_id = '${agent}' and version = 1`,
      `insert into agents.publications
         (workspace_id, agent_id, version, revision_id, memory_enabled, calendar_enabled, api_ready)
       select workspace_id, agent_id, n + 1, revision_id, memory_enabled, calendar_enabled, api_ready
       from agents.publications, generate_series(1, ${rows}) as n where agent_id = '${agent}'`,
      `insert into agents.model_providers (workspace_id, id, kind, name, url)
       select '${workspace}', gen_random_uuid(), 'openai_compatible', 'name ' || n, 'http://127.0.0.1:9/' || repeat('a', 400)
       from generate_series(1, ${maxModelProviders}) as n`,
      `insert into sessions.sessions
         (workspace_id, id, agent_id, publication_id, publication_version, instance_id, status, transport, input_mode,
          started_at, ended_at, end_reason, metadata, metadata_bytes)
       select '${workspace}', case n when 1 then '${session}' else gen_random_uuid() end, '${agent}', gen_random_uuid(), 1, '',
         'ended', 'websocket', 'open_mic', now(), now(), 'user_disconnected', json_build_object('about', ${text}), 220 ${series}`,
      `insert into sessions.messages
         (workspace_id, session_id, position, id, role, text, text_bytes, interrupted, created_at)
       select '${workspace}', '${session}', n, gen_random_uuid(), 'user', ${text}, 200, false, now() ${series}`,
      `insert into sessions.turns (workspace_id, session_id, position, voice_to_voice_ms)
       select '${workspace}', '${session}', n, n ${series}`,
      `insert into sessions.tool_calls
         (workspace_id, session_id, position, id, message_id, name, arguments, result, outcome, started_at, duration_ms, bytes)
       select '${workspace}', '${session}', n, gen_random_uuid(), gen_random_uuid(), 'look_up', '{}', ${text}, 'succeeded', now(),
         1, 210 ${series}`,
      `insert into webhooks.endpoints (workspace_id, id, url, events, description)
       select '${workspace}', case n when 1 then '${endpoint}' else gen_random_uuid() end, 'https://example.com/' || n,
         '{agent.published}', ${text} ${series}`,
      `with made as (
         insert into webhooks.events (workspace_id, id, type, body, created_at)
         select '${workspace}', gen_random_uuid(), 'agent.published', '{}', now() ${series} returning id),
       delivered as (
         insert into webhooks.deliveries (workspace_id, endpoint_id, event_id, status)
         select '${workspace}', '${endpoint}', id, 'failed' from made returning id)
       insert into webhooks.attempts (workspace_id, delivery_id, attempted_at, duration_ms, status, response, error)
       select '${workspace}', id, now(), 1, 500, ${text}, 'status 500' from delivered`,
      `insert into auth.api_keys (workspace_id, label, prefix) select '${workspace}', 'key ' || n, 'awp_prd_test' ${series}`,
      `with made as (
         insert into auth.people (name, email, email_verified)
         select 'A person with the number ' || n, 'a-person-with-the-number-' || n || '@example.com', true ${series}
         returning id),
       operating as (insert into auth.operators (person_id) select id from made)
       insert into auth.members (workspace_id, person_id, role, created_at)
       select '${workspace}', id, 'member', now() from made`,
      `insert into auth.invitations (workspace_id, email, role, status, inviter_id, expires_at)
       select '${workspace}', 'invited-' || n || '@example.com', 'member', 'pending', '${person}', now() + interval '1 day'
       ${series}`,
      `with made as (
         insert into auth.workspaces (name, capabilities) select 'workspace ' || n, '{tts,agents}' ${series} returning id)
       insert into auth.members (workspace_id, person_id, role, created_at)
       select id, '${person}', 'owner', now() from made`,
      `insert into memory.memories (workspace_id, end_user_id, agent_id, text, sameness, session_id)
       select '${workspace}', '${endUser}', '${agent}', ${text}, sha256(n::text::bytea), '${session}' ${series}`,
      `insert into calendar.calendars values ('${workspace}', '${endUser}', '\\x0000000000000000')`,
      `insert into calendar.events (workspace_id, end_user_id, title, starts_at, duration_minutes, time_zone)
       select '${workspace}', '${endUser}', left(${text}, 190), timestamp '2030-01-01' + n * interval '1 minute', 5, 'UTC'
       ${series}`,
      `insert into credit.leases (workspace_id, id, state) values ('${workspace}', '${session}', 'closed')`,
      // The tenth part of a credit each, and more in the first of them.
      `insert into credit.holds
         (workspace_id, id, lease_id, amount, resolution, paid_by_lease, paid_late, uncovered, kind, key_id, agent_id,
          tts_characters, session_seconds, stt_seconds, llm_input_tokens, llm_output_tokens, resolved_at)
       select '${workspace}', gen_random_uuid(), '${session}', 200000000, 'settled',
         case when n <= 1000 then 200000000 else 100000000 end, 0, 0, 'tts',
         gen_random_uuid(), gen_random_uuid(), 10, 1, 1, 1, 1, timestamptz '2026-01-01Z' + n % 365 * interval '1 day' ${series}`,
    ]) {
      await database.query(sql)
    }
    await database.query('analyze')
  }

  /** The body of a reply of a successful request, which fits into one message. */
  const read = async (by: 'key' | 'browser', path: string) => {
    const response = await fetch(`${platform.urls[0]}${path}`, { headers: headers[by] })
    const body = await response.text()
    expect({ status: response.status, ...(!response.ok && { body }) }).toEqual({ status: 200 })
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(maxMessageBytes)
    return JSON.parse(body)
  }
  const at = (path: string): string => path.replace(/:(\w+)/g, (_, name) => ids[name as keyof typeof ids])

  test.each([
    ['key', '/v1/agents', 'agents'],
    ['key', '/v1/agents/:agent/revisions', 'revisions'],
    ['key', '/v1/agents/:agent/publications', 'publications'],
    ['key', '/v1/agent-sessions', 'sessions'],
    ['key', '/v1/agent-sessions/:session/messages', 'messages'],
    ['browser', '/dashboard/api/agent-sessions/:session/turns', 'turns'],
    ['browser', '/dashboard/api/agent-sessions/:session/tool-calls', 'tool_calls'],
    ['key', '/v1/webhooks', 'webhooks'],
    ['key', '/v1/webhooks/:endpoint/deliveries', 'deliveries'],
    ['key', '/v1/end-users/:endUser/memory', 'memories'],
    ['browser', '/dashboard/api/keys', 'keys'],
    ['browser', '/dashboard/api/audit-log', 'entries'],
    ['browser', '/dashboard/api/operator/workspaces', 'workspaces'],
  ] as const)('the %s reads %s page by page, each item once', async (by, path, name) => {
    const items = new Set<string>()
    let count = 0
    let cursor: string | null | undefined
    do {
      const query = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) })
      const page = await read(by, `${at(path)}?${query}`)
      expect(page[name].length).toBeGreaterThan(0)
      for (const item of page[name]) items.add(item.id ?? JSON.stringify(item))
      count += page[name].length
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(items.size).toBe(count)
    expect(count).toBeGreaterThanOrEqual(rows)
  })

  test.each([
    ['key', '/v1/end-users/:endUser/calendar?from=2030-01-01', 'occurrences', 500],
    ['browser', '/dashboard/api/providers', 'providers', maxModelProviders],
    ['browser', '/dashboard/api/signed-in', 'workspaces', 1_000],
  ] as const)('the %s reads %s in one reply with as many as are documented', async (by, path, name, count) => {
    expect((await read(by, at(path)))[name].length).toBe(count)
  })

  test.each(['agent', 'api_key', 'day', 'kind'])(
    'usage by %s is one report, whose sums are of all groups',
    async (by) => {
      const period = 'from=2026-01-01&to=2027-01-01'
      const { usage } = await read('key', `/v1/usage?${period}&group_by=${by}`)
      const sum = (field: string) => usage.reduce((total: number, group: never) => total + Number(group[field]), 0)
      expect([sum('operations'), sum('tts_characters'), Math.round(sum('credit_used'))]).toEqual([
        rows,
        10 * rows,
        100 + rows / 10,
      ])
      if (by === 'day' || by === 'kind') return expect(usage.length).toBe(by === 'day' ? 365 : 1)
      expect(usage.length).toBe(1_001)
      // The thousand that cost the most are named.
      expect(usage.at(-1)).toMatchObject({
        key: 'other',
        operations: rows - 1_000,
        credit_used: `${(rows - 1_000) / 10}.00`,
      })
    },
  )

  test('the people of a workspace and the operators are listed up to a thousand', async () => {
    const { members } = await platform.people.listMembers({ workspace_id: ids.workspace })
    const { operators } = await platform.people.listOperators({})
    expect([members.length, operators.length]).toEqual([1_000, 1_000])
  })

  test.each([
    ['/organization/list-members', 1_000],
    ['/organization/list-invitations', 100],
  ])('a member reads %s up to %i', async (path, count) => {
    const { status, body, json } = await browser.get(`${path}?organizationId=${ids.workspace}&limit=1000`)
    expect(status).toBe(200)
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(maxMessageBytes)
    expect((Array.isArray(json) ? json : (json as { members: unknown[] }).members).length).toBe(count)
  })
})
