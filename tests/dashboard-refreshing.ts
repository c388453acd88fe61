import type { Page, Route } from 'playwright-core'
import type { DashboardScene } from './dashboard-scene.js'
import { allFaultsOf } from './page-faults.js'

const id = '00000000-0000-4000-8000-000000000001'
const at = '2026-01-31T09:30:00.000Z'

const failure = { code: 'unavailable', detail: 'Stopped for the test.', retryable: false }
const fail = (route: Route) => route.fulfill({ status: 503, json: failure })

const live = {
  ...{ id, agent_id: id, publication: { id, version: 1 }, end_user_id: null, status: 'active', transport: 'websocket' },
  ...{
    input_mode: 'automatic',
    created_at: at,
    started_at: at,
    ended_at: null,
    duration_seconds: 10,
    end_reason: null,
  },
  ...{ error: null, credit_used: '0.1', latency: null, feedback: null, metadata: {}, transcript: [] },
  usage: { stt_seconds: 0, llm_input_tokens: 0, llm_output_tokens: 0, tts_characters: 0 },
}

const webhook = {
  ...{ id, url: 'https://receiver.example.com/hooks', events: ['agent.published'], description: '', enabled: true },
  ...{ failing_since: null, disabled_at: null, disabled_reason: null, created_at: at, updated_at: at },
}
const delivery = {
  ...{ id, event_id: id, type: 'agent.published', status: 'succeeded', created_at: at, next_attempt_at: null },
  attempts: [{ attempted_at: at, duration_ms: 12, status: 204, response: '', error: null }],
}

/** What pages do that stay open: they read again, few times, and say so when that fails. */
export const testRefreshing = (scene: () => DashboardScene): void => {
  const notice = (page: Page) => page.getByRole('status').filter({ hasText: 'Not up to date. Stopped for the test.' })

  test('a page that failed is shown after “Try again”, without another document', async () => {
    const page = await scene().openApartAs('owner')
    await page.goto(`${scene().url}/members`)
    await page.getByRole('heading', { name: 'Members' }).waitFor()
    await page.evaluate('globalThis.isSameDocument = true')
    const path = '**/dashboard/api/signed-in'
    await page.clock.install()
    await page.clock.fastForward(61_000)
    await page.route(path, fail)
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('heading', { name: 'This page failed' }).waitFor()
    await page.getByText('Stopped for the test.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'This page failed' }).waitFor()
    await page.unroute(path)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(await page.evaluate('globalThis.isSameDocument')).toBe(true)
  })

  test('a list that cannot be read again stays, says that it is not up to date, and is read by a button', async () => {
    const page = await scene().openApartAs('owner')
    await page.clock.install()
    await page.goto(`${scene().url}/conversations`)
    await page.getByRole('heading', { name: 'No conversation' }).or(page.getByRole('table')).waitFor()
    await page.route('**/dashboard/api/agent-sessions?*', fail)
    await page.clock.fastForward(16_000)
    await notice(page).waitFor()
    expect(await page.getByRole('heading', { name: 'Conversations' }).count()).toBe(1)
    expect(await allFaultsOf(page)).toEqual([])
    await page.unroute('**/dashboard/api/agent-sessions?*')
    await notice(page).getByRole('button', { name: 'Try again' }).click()
    await notice(page).waitFor({ state: 'detached' })
  })

  test('a list is read again while only its first page is shown, and a search only when it is asked for', async () => {
    const page = await scene().openApartAs('owner')
    await page.clock.install()
    let reads = 0
    await page.route('**/dashboard/api/agent-sessions?*', (route) => {
      reads++
      const isFirst = !route.request().url().includes('cursor=')
      return route.fulfill({
        json: {
          sessions: [{ ...live, id: isFirst ? id : live.id.replace(/1$/, '2') }],
          next_cursor: isFirst ? 'next' : null,
        },
      })
    })
    await page.goto(`${scene().url}/conversations`)
    await page.getByRole('button', { name: 'Show older conversations' }).waitFor()
    const again = page.waitForResponse('**/dashboard/api/agent-sessions?*')
    await page.clock.fastForward(4_000)
    await again
    await page.getByRole('button', { name: 'Show older conversations' }).click()
    await page
      .getByRole('link', { name: /^Deleted Agent/ })
      .nth(1)
      .waitFor()
    const before = reads
    await page.clock.runFor(20_000)
    expect(reads).toBe(before)

    await page.goto(`${scene().url}/conversations?said=hotel`)
    await page.getByRole('button', { name: 'Show older conversations' }).waitFor()
    const searched = reads
    await page.clock.runFor(20_000)
    expect(reads).toBe(searched)
  })

  test('a live conversation whose progress cannot be read says so, and its clock stands still', async () => {
    const page = await scene().openApartAs('owner')
    const ofSession = `**/dashboard/api/agent-sessions/${id}`
    await page.route(`**/dashboard/api/v1/agent-sessions/${id}`, (route) => route.fulfill({ json: live }))
    const lists = { messages: 'messages', turns: 'turns', 'tool-calls': 'tool_calls' }
    for (const [path, name] of Object.entries(lists)) {
      await page.route(`**/agent-sessions/${id}/${path}?*`, (route) =>
        route.fulfill({ json: { [name]: [], next_cursor: null } }),
      )
    }
    await page.route(`${ofSession}/analysis`, (route) => route.fulfill({ json: { analysis: null } }))
    await page.route(`${ofSession}/recording`, fail)
    const { transcript: _, ...session } = live
    const progress = { session, final_messages: 0, in_progress: null }
    await page.route(`${ofSession}/progress`, (route) => route.fulfill({ json: progress }))
    await page.clock.install()
    await page.goto(`${scene().url}/conversations/${id}`)
    // Otherwise it would look like a conversation that was not recorded.
    await page.getByRole('alert').filter({ hasText: 'Stopped for the test.' }).waitFor()
    const length = page.getByRole('definition').nth(3)
    await length.getByText('12 s').waitFor()

    await page.unroute(`${ofSession}/progress`)
    await page.route(`${ofSession}/progress`, fail)
    await notice(page).waitFor()
    expect(await allFaultsOf(page)).toEqual([])
    await length.getByText('10 s').waitFor()
    await page.clock.runFor(5_000)
    expect(await length.textContent()).toMatch(/^10\ss$/)

    await page.unroute(`${ofSession}/progress`)
    await page.route(`${ofSession}/progress`, (route) => route.fulfill({ json: progress }))
    await page.clock.runFor(2_000)
    await notice(page).waitFor({ state: 'detached' })
  })

  test('a delivery that happens while the log is open appears, with what it means for the webhook', async () => {
    const page = await scene().openApartAs('owner')
    const path = `**/dashboard/api/v1/webhooks/${id}`
    let now = { webhook: webhook as object, deliveries: [] as object[] }
    await page.route(path, (route) => route.fulfill({ json: now.webhook }))
    await page.route(`${path}/deliveries?*`, (route) =>
      route.fulfill({ json: { deliveries: now.deliveries, next_cursor: null } }),
    )
    await page.clock.install()
    await page.goto(`${scene().url}/webhooks/${id}`)
    await page.getByRole('heading', { name: 'No delivery yet' }).waitFor()
    now = { webhook: { ...webhook, failing_since: at }, deliveries: [{ ...delivery, status: 'failed' }] }
    await page.clock.fastForward(16_000)
    await page.getByRole('row', { name: /An Agent is published/ }).waitFor()
    await page.getByText('Failing', { exact: true }).waitFor()
  })

  test('a dialog that is opened again does not show why it failed before', async () => {
    const page = await scene().openAs('owner')
    const path = `**/dashboard/api/v1/webhooks/${id}`
    await page.route(path, (route) =>
      route.request().method() === 'GET' ? route.fulfill({ json: webhook }) : fail(route),
    )
    await page.route(`${path}/deliveries?*`, (route) => route.fulfill({ json: { deliveries: [], next_cursor: null } }))
    await page.goto(`${scene().url}/webhooks/${id}`)
    const dialog = page.getByRole('dialog')
    for (const [button, confirm] of [
      ['Delete', 'Delete it'],
      ['Disable', 'Disable it'],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).click()
      await dialog.getByRole('button', { name: confirm }).click()
      await dialog.getByText('Stopped for the test.').waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: button, exact: true }).click()
      await dialog.getByRole('button', { name: confirm }).waitFor()
      expect(await dialog.getByText('Stopped for the test.').count()).toBe(0)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
  })
}
