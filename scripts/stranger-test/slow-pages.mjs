// Each page of the dashboard on a slow network, and with failing requests: it shows that it loads, then its content, or the error
// with a button to try again.
import assert from 'node:assert/strict'

/** 400 kbit/s with 400 ms to the server and back. */
const slowNetwork = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }

/** The page of one thing: `start` begins the links to it in the page of the list, and `rest` ends its path. */
const ofOne = (list, start, rest = '') => ({ list, start, rest })

/**
 * Pages with content that they load, each with a part of the path of the request. None is for one that needs nothing but its
 * script.
 */
const pages = [
  { path: '/', request: '/v1/usage' },
  { path: '/agents', request: '/v1/agents' },
  { path: ofOne('/agents', '/agents/new'), request: undefined },
  { path: ofOne('/agents', '/agents/'), request: '/v1/agents/' },
  { path: ofOne('/agents', '/agents/', '/history'), request: '/publications' },
  { path: '/playground/talk', request: '/v1/agents' },
  { path: '/playground/speech', request: '/v1/voices' },
  { path: '/conversations', request: '/api/agent-sessions' },
  { path: ofOne('/conversations', '/conversations/'), request: '/v1/agent-sessions/' },
  { path: '/voices', request: '/v1/voices' },
  { path: '/avatars', request: '/v1/avatars' },
  { path: '/usage', request: '/v1/usage' },
  { path: '/keys', request: '/api/keys' },
  { path: '/webhooks', request: '/v1/webhooks' },
  { path: ofOne('/webhooks', '/webhooks/'), request: '/v1/webhooks/' },
  { path: '/model-providers', request: '/api/providers' },
  { path: '/members', request: '/auth/organization/' },
  { path: '/audit-log', request: '/api/audit-log' },
  { path: '/settings', request: '/api/settings' },
  { path: '/account', request: '/auth/list-sessions' },
  { path: '/operator/workspaces', request: '/api/operator/workspaces' },
  { path: '/operator/models', request: '/api/operator/models' },
]

const failure = { event: 'error', request_id: 'r', code: 'internal_error', retryable: false, detail: 'It failed here.' }

const throttle = async (page) => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', slowNetwork)
}

const loading = (page) => page.getByLabel('Loading').first()

const shown = async (page) => {
  await page.locator('main h1').waitFor()
  await loading(page).waitFor({ state: 'detached' })
}

/** A webhook, so that there is one of everything. Nothing is sent to it. */
const makeWebhook = (page) =>
  page.evaluate(`fetch('/dashboard/api/v1/webhooks', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-parlance-workspace': sessionStorage.getItem('parlance.workspace'),
    },
    body: JSON.stringify({ url: 'https://receiver.example.com/hooks', events: ['agent.published'] }),
  }).then(({ status }) => { if (status !== 201) throw new Error('a webhook was answered with ' + status) })`)

/** The path of a page, and those of the pages that lead to it; of one thing, of the first that its list has. */
const foundPage = async (page, origin, { path, request }) => {
  if (typeof path === 'string') return { path, request, via: [] }
  const { list, start, rest } = path
  await page.goto(`${origin}${list}`)
  const one = await page
    .getByRole('main')
    .locator(`a[href^="${start}"]${start === '/agents/' ? ':not([href="/agents/new"])' : ''}`)
    .first()
    .getAttribute('href')
  return { path: `${one}${rest}`, request, via: rest === '' ? [list] : [list, one] }
}

/** Presses what leads to a page, as a person does who has the dashboard open. */
const pressLinkTo = async (page, path) => {
  if (path === '/account') {
    await page.getByRole('button', { name: 'Your account' }).click()
    return page.getByRole('menuitem', { name: 'Account' }).click()
  }
  await page.locator(`a[href="${path}"]`).first().click()
}

const openSlowly = async (page, { path, via, request }) => {
  for (const step of via) {
    await pressLinkTo(page, step)
    await page.waitForURL(`**${step}`)
    await shown(page)
  }
  const before = await page.locator('main h1').textContent()
  await pressLinkTo(page, path)
  // A script alone may come before the page would say that it loads.
  if (request === undefined) await page.locator('main h1').filter({ hasNotText: before }).waitFor()
  else await loading(page).waitFor()
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
  const retries = page.getByRole('button', { name: 'Try again' })
  await retries.first().waitFor()
  await page.unroute(matches)
  // Several queries of the page may have failed.
  for (let left = await retries.count(); left > 0; left = await retries.count()) {
    await retries.first().click()
    // The button stays for a moment.
    await retries.nth(left - 1).waitFor({ state: 'detached' })
    await shown(page)
  }
  await alert.waitFor({ state: 'detached' })
  await shown(page)
}

/** A page of the same person with an empty cache: pages of one context share their scripts. */
const openContext = async (page) => {
  const storageState = await page.context().storageState()
  const options = { viewport: page.viewportSize(), locale: 'en-US', storageState }
  const opened = await (await page.context().browser().newContext(options)).newPage()
  opened.setDefaultTimeout(60_000)
  return opened
}

const checkEach = async (found, check) => {
  for (const one of found) {
    await check(one).catch((error) => {
      throw new Error(`${one.path}: ${error.message}`, { cause: error })
    })
  }
}

const checkSlow = async (page, origin, found) => {
  await page.goto(`${origin}/playground/talk`)
  await throttle(page)
  await page.reload()
  await shown(page)
  await checkEach(found, (one) => openSlowly(page, one))
}

const checkFailing = async (page, origin, found) => {
  const requesting = found.filter(({ request }) => request !== undefined)
  await checkEach(requesting, (one) => failAndRetry(page, origin, one))
}

/** `page` is of a signed-in Owner. Resolves to how many pages there are. The checks mostly wait, so four run at once. */
export const checkSlowPages = async (page, origin) => {
  await page.goto(`${origin}/voices`)
  await shown(page)
  await makeWebhook(page)
  // Until the list is closed, the first page leads to it.
  await page.goto(`${origin}/get-started`)
  await page.getByRole('button', { name: /^(Close the list|Go to the Agents)$/ }).click()
  const found = []
  for (const listed of pages) found.push(await foundPage(page, origin, listed))
  const middle = Math.ceil(found.length / 2)
  const halves = [found.slice(0, middle), found.slice(middle)]
  await Promise.all(
    halves.flatMap((half) =>
      [checkSlow, checkFailing].map(async (check) => check(await openContext(page), origin, half)),
    ),
  )
  return `${found.length} pages`
}
