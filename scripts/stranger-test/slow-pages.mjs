// Each page of the dashboard on a slow network, and with requests that fail: it shows that it loads, then its content, or why there
// is none and a way to try again.
import assert from 'node:assert/strict'

/** 400 kbit/s with 400 ms to the server and back. */
const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const fast = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }

/** Pages with content that they load, each with a part of the path of the request. */
const pages = [
  { path: '/agents', request: '/v1/agents' },
  { path: '/playground/talk', request: '/v1/agents' },
  { path: '/playground/speech', request: '/v1/voices' },
  { path: '/conversations', request: '/v1/agent-sessions' },
  { path: '/voices', request: '/v1/voices' },
  { path: '/avatars', request: '/v1/avatars' },
  { path: '/usage', request: '/v1/usage' },
  { path: '/keys', request: '/api/keys' },
  { path: '/webhooks', request: '/v1/webhooks' },
  { path: '/members', request: '/auth/organization/' },
  { path: '/audit-log', request: '/api/audit-log' },
]

const failure = { event: 'error', request_id: 'r', code: 'internal_error', retryable: false, detail: 'It failed here.' }

const throttle = async (page, conditions) => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', conditions)
}

const loading = (page) => page.getByLabel('Loading').first()

const shown = async (page) => {
  await page.locator('main h1').waitFor()
  await loading(page).waitFor({ state: 'detached' })
}

/** Opens the page by a click, as a person does who has the dashboard open. */
const openSlowly = async (page, path) => {
  await page.locator(`nav a[href="${path}"]`).click()
  await loading(page).waitFor()
  await page.waitForURL(`**${path}`)
  await shown(page)
  assert.equal(await page.getByRole('alert').count(), 0, `${path} shows an error on a slow network`)
}

const failAndRetry = async (page, origin, { path, request }) => {
  const matches = (url) => url.pathname.includes(request)
  await page.route(matches, (route) => route.fulfill({ status: 500, json: failure }))
  await page.goto(`${origin}${path}`)
  const alert = page.getByRole('alert').filter({ hasText: failure.detail }).first()
  await alert.waitFor()
  const retry = page.getByRole('button', { name: 'Try again' }).first()
  await retry.waitFor()
  await page.unroute(matches)
  // Several queries of the page may have failed.
  for (; (await retry.count()) > 0; await shown(page)) await retry.click()
  await alert.waitFor({ state: 'detached' })
  await shown(page)
}

/** `page` is of a signed-in Owner. Resolves to how many pages there are. */
export const checkSlowPages = async (page, origin) => {
  await page.goto(`${origin}/account`)
  await throttle(page, slow)
  await page.reload()
  await page.locator('main h1').waitFor()
  for (const { path } of pages) await openSlowly(page, path)
  await throttle(page, fast)
  for (const failing of pages) {
    await failAndRetry(page, origin, failing).catch((error) => {
      throw new Error(`${failing.path}: ${error.message}`, { cause: error })
    })
  }
  return `${pages.length} pages`
}
