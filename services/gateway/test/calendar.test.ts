import { expectError } from './expect-error.js'
import { feed, occurrence } from './fake-calendar.js'
import { keys, otherWorkspaceId, workspaceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const dayMs = 24 * 3_600_000
const endUserId = '0b5c6a52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'
const path = `/v1/end-users/${endUserId}/calendar`
const feedPath = `/v1/calendar-feeds/${feed.signature}.ics`
const asked = () => gateway.calendarRequests.listOccurrences as { from: string; to: string }

const remove = (at: string, key: string = keys.good) =>
  fetch(`${gateway.url}${at}`, { method: 'DELETE', headers: { authorization: `Bearer ${key}` } })
const readFeed = (at = feedPath, headers: Record<string, string> = {}) => fetch(`${gateway.url}${at}`, { headers })

test('a calendar is that of the next 30 days, with the address of its feed on the host of the request', async () => {
  const beforeMs = Date.now()
  const response = await gateway.get(`/v1/end-users/${endUserId.toUpperCase()}/calendar`)
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toEqual({ occurrences: [occurrence], feed_url: `${gateway.url}${feedPath}` })
  const owner = { workspace_id: workspaceId, end_user_id: endUserId }
  expect(gateway.calendarRequests).toMatchObject({ listOccurrences: owner, signFeed: owner })
  const fromMs = Date.parse(asked().from)
  expect(fromMs).toBeGreaterThanOrEqual(beforeMs)
  expect(fromMs).toBeLessThanOrEqual(Date.now())
  expect(Date.parse(asked().to) - fromMs).toBe(30 * dayMs)
})

test('a range is parsed, and an invalid one is refused with the name of its parameter', async () => {
  expect((await gateway.get(`${path}?from=2026-03-01&to=2026-04-01T12:00:00%2B02:00`)).status).toBe(200)
  expect(asked()).toMatchObject({ from: '2026-03-01T00:00:00.000Z', to: '2026-04-01T10:00:00.000Z' })
  await expectError(await gateway.get(`${path}?from=2026-03-01&to=2026-03-01`), 'invalid_request', /^to: must be after/)
  await expectError(await gateway.get(`${path}?from=2026-03-01&to=2027-03-03`), 'invalid_request', /^to: .* 366 days/)
  await expectError(await gateway.get(`${path}?from=soon`), 'invalid_request', /^from: must be a date/)
  await expectError(await gateway.get(`${path}?workspace_id=${otherWorkspaceId}`), 'invalid_request', /workspace_id/)
})

test('a key reads and deletes in its own workspace, where it has the capability', async () => {
  expect((await remove(path, keys.ofOther)).status).toBe(204)
  expect(gateway.calendarRequests.deleteCalendar).toEqual({ workspace_id: otherWorkspaceId, end_user_id: endUserId })
  for (const key of [keys.withoutAgents]) {
    await expectError(await remove(path, key), 'capability_disabled')
    await expectError(await gateway.get(path, { authorization: `Bearer ${key}` }), 'capability_disabled')
  }
  await expectError(await fetch(`${gateway.url}${path}`), 'unauthorized')
})

test('an invalid id is not an end user', async () => {
  await expectError(await gateway.get('/v1/end-users/bob/calendar'), 'invalid_request', /^end_user_id: /)
  await expectError(await remove('/v1/end-users/bob/calendar'), 'invalid_request', /^end_user_id: /)
})

test('a feed needs only its address, and is sent again only when it has changed', async () => {
  const response = await readFeed()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('private, no-cache')
  expect(await response.text()).toBe(feed.icalendar)
  const etag = response.headers.get('etag') ?? ''
  for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await readFeed(feedPath, { 'if-none-match': tags })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(again.headers.get('etag')).toBe(etag)
  }
  expect((await readFeed(feedPath, { 'if-none-match': '"other"' })).status).toBe(200)
})

test('a feed with another signature is not found, and its address is not logged', async () => {
  await expectError(await readFeed('/v1/calendar-feeds/guessed.ics'), 'not_found')
  await expectError(await readFeed(`/v1/calendar-feeds/${'a'.repeat(3_000)}.ics`), 'not_found')
  await expectError(await readFeed('/v1/calendar-feeds/a-signature'), 'not_found')
  await expectError(await readFeed(feedPath, { accept: 'text/html' }), 'not_acceptable')
  expect(JSON.stringify(gateway.lines)).not.toMatch(/guessed|a-signature/)
})

test('a feed that is read too often is refused for a while, and the others are not', async () => {
  const refused = async (at: string) => {
    for (let reads = 0; reads < 200; reads++) {
      const response = await readFeed(at)
      await response.body?.cancel()
      if (response.status === 429) return response
    }
    throw new Error('was never refused')
  }
  const response = await refused('/v1/calendar-feeds/another.ics')
  expect(response.headers.get('retry-after')).toBe('1')
  expect((await readFeed()).status).toBe(200)
  expect((await gateway.get(path)).status).toBe(200)
})
