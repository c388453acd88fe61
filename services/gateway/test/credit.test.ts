import { expectError } from './expect-error.js'
import { keys, otherWorkspaceId, workspaceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const dayMs = 24 * 3_600_000
const usage = (query: Record<string, string> = {}) => gateway.get(`/v1/usage?${new URLSearchParams(query)}`)
const asked = () => gateway.creditRequests.getUsage as { from: string; to: string; group_by: string }

test('the balance is that of the ledger, for any key, and is not cached', async () => {
  const response = await gateway.get('/v1/credit')
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toEqual({
    balance: '12.40',
    unit: 'credit',
    reserved: '0.10',
    updated_at: '2026-01-31T09:30:00.000Z',
  })
  for (const key of [keys.withoutTts, keys.withoutAgents]) {
    expect((await gateway.get('/v1/credit', { authorization: `Bearer ${key}` })).status).toBe(200)
  }
})

test("a key sees its own workspace's credit and usage, and cannot request those of another", async () => {
  const authorization = `Bearer ${keys.ofOther}`
  for (const [path, method] of [
    ['/v1/credit', 'getBalance'],
    ['/v1/usage', 'getUsage'],
  ] as const) {
    await gateway.get(path)
    expect(gateway.creditRequests[method]).toMatchObject({ workspace_id: workspaceId })
    await gateway.get(path, { authorization })
    expect(gateway.creditRequests[method]).toMatchObject({ workspace_id: otherWorkspaceId })
  }
  await expectError(await usage({ workspace_id: otherWorkspaceId }), 'invalid_request', 'workspace_id')
})

test('usage is that of the last 30 days, by day, by default', async () => {
  const beforeMs = Date.now()
  const response = await usage()
  expect(response.status).toBe(200)
  expect(asked().group_by).toBe('day')
  const [fromMs, toMs] = [Date.parse(asked().from), Date.parse(asked().to)]
  expect(toMs - fromMs).toBe(30 * dayMs)
  expect(toMs).toBeGreaterThanOrEqual(beforeMs)
  expect(toMs).toBeLessThanOrEqual(Date.now())
  const { from, to } = asked()
  expect(await response.json()).toMatchObject({ from, to, group_by: 'day', usage: [{ key: null, operations: 2 }] })
})

test.each([
  [{ to: '2026-03-31' }, '2026-03-01T00:00:00.000Z', '2026-03-31T00:00:00.000Z'],
  [{ from: '2024-02-29', to: '2025-03-01' }, '2024-02-29T00:00:00.000Z', '2025-03-01T00:00:00.000Z'],
  [
    { from: '2026-01-31T12:00:00+02:00', to: '2026-01-31T10:00:00.001Z' },
    '2026-01-31T10:00:00.000Z',
    '2026-01-31T10:00:00.001Z',
  ],
  [{ from: '1970-01-01', to: '1970-01-02' }, '1970-01-01T00:00:00.000Z', '1970-01-02T00:00:00.000Z'],
])('the time %j is parsed', async (query, from, to) => {
  for (const group_by of ['day', 'agent', 'api_key', 'kind']) {
    expect((await usage({ ...query, group_by })).status).toBe(200)
    expect(asked()).toEqual({ workspace_id: workspaceId, from, to, group_by })
  }
})

test.each([
  [{ from: 'yesterday' }, /^from: must be a date/],
  [{ from: '2026-02-30' }, /^from: must be a date/],
  [{ to: '2026-01-31T09:30:00' }, /^to: must be a date/],
  [{ to: '' }, /^to: must be a date/],
  [{ from: '0000-01-01', to: '0000-02-01' }, /^from: must be in the years/],
  [{ to: '9999-12-31T23:59:59-12:00' }, /^to: must be in the years/],
  [{ from: '2026-02-01', to: '2026-02-01' }, /^from: must be before to/],
  [{ from: '9000-01-01' }, /^from: must be before to/],
  [{ from: '2024-02-29', to: '2025-03-01T00:00:00.001Z' }, /^from: must be at most 366 days before to/],
  [{ group_by: 'week' }, /^group_by: /],
  [{ group: 'day' }, /group/],
])('the query %j is refused with the name of the invalid parameter', async (query, detail) => {
  await expectError(await usage(query as Record<string, string>), 'invalid_request', detail)
})

test('a repeated field is refused', async () => {
  await expectError(await gateway.get('/v1/usage?group_by=day&group_by=kind'), 'invalid_request', /^group_by: /)
})

test('nothing is looked up for a caller that does not accept the response', async () => {
  for (const path of ['/v1/credit', '/v1/usage']) {
    await expectError(await gateway.get(path, { accept: 'text/csv' }), 'not_acceptable')
  }
})
