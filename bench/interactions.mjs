/**
 * How long the dashboard of a workspace with many Agents takes from an input to the next paint, as `PerformanceEventTiming`
 * reports it ("interaction to next paint"). Answers come from a list, so no service takes part.
 *
 * An interaction has three parts: until its handlers run, their run, and until the frame is painted.
 */
import { launchBrowser } from '@parlance/testing/browser'
import { answerWith, origin } from '../scripts/screenshots/answered-pages.mjs'
import { at, id, signedInAs } from '../scripts/screenshots/answers.mjs'
import { commandLine } from './harness/command-line.mjs'
import { atMost, finish, goal, say, table } from './harness/report.mjs'
import { median } from './harness/statistics.mjs'

const options = commandLine('interaction to next paint in the dashboard', {
  agents: { type: 'number', default: 1_000, help: 'Agents and API keys of the workspace' },
  rounds: { type: 'number', default: 5, help: 'how often each interaction is measured' },
  only: { type: 'string', default: '', help: 'a part of the names of the interactions' },
})

/** The threshold above which people perceive an interaction as slow (web.dev/articles/inp). */
const goodMs = 200

const numbers = Array.from({ length: options.agents }, (_, index) => index + 1)
const agents = numbers.map((number) => ({
  ...{
    id: id(number),
    slug: `agent-${number}`,
    display_name: `Agent ${number}`,
    description: 'Answers the telephone.',
  },
  ...{ state: 'published', api_ready: true, avatar_id: null, voice_id: '5'.repeat(32) },
  ...{ draft_revision: { id: id(number), version: 1 }, created_at: at(1), updated_at: at(1) },
  active_publication: { version: 1, revision: { id: id(number), version: 1 } },
}))
const keys = numbers.map((number) => ({
  ...{ id: id(number), label: `Backend ${number}`, prefix: 'awp_dev_xxxx', status: 'active' },
  ...{ created_at: at(1), last_used_at: null, revoked_at: null },
}))
const groups = (group) =>
  group === 'day' ? Array.from({ length: 90 }, (_, day) => at(day).slice(0, 10)).reverse() : numbers.map(id)

const usage = (query) => {
  const group_by = query.get('group_by')
  const used = groups(group_by).map((key, place) => ({
    ...{ key, operations: place, credit_used: String(place / 7), session_seconds: place, tts_characters: place },
  }))
  return { body: { group_by, usage: used } }
}

const listAgents = (query) => {
  const start = Number(query.get('cursor') ?? 0)
  const end = start + Number(query.get('limit') ?? 50)
  return { body: { agents: agents.slice(start, end), next_cursor: end < agents.length ? String(end) : null } }
}

const answers = {
  ...signedInAs('owner'),
  '/dashboard/api/v1/agents': listAgents,
  '/dashboard/api/keys': { body: { keys, next_cursor: null, member_keys: [] } },
  '/dashboard/api/v1/credit': { body: { balance: '100000', reserved: '0' } },
  '/dashboard/api/v1/usage': usage,
  '/dashboard/api/v1/agent-sessions': { body: { sessions: [], next_cursor: null } },
}

const press = (role, name) => (page) => page.getByRole(role, { name, exact: true }).first().click()

const interactions = [
  { name: 'Agents: next page', path: '/agents', act: press('button', 'Next page') },
  {
    name: 'Agents: a key of a search',
    path: '/agents',
    prepare: (page) => page.getByRole('searchbox').focus(),
    act: (page) => page.keyboard.press('7'),
  },
  { name: 'Conversations: open the choice of Agents', path: '/conversations', act: press('combobox', 'Agent') },
  {
    name: 'Conversations: a key in the choice of Agents',
    path: '/conversations',
    prepare: press('combobox', 'Agent'),
    act: (page) => page.keyboard.press('7'),
  },
  { name: 'Talk: Start', path: '/playground/talk', act: press('button', 'Start') },
  { name: 'Usage: By API key', path: '/usage', act: press('tab', 'By API key') },
  { name: 'Usage: By day', path: '/usage', act: press('tab', 'By day') },
  { name: 'Usage: 90 days', path: '/usage', act: (page) => page.getByText('90 days').click() },
  { name: 'API keys: next page', path: '/keys', act: press('button', 'next page') },
  { name: 'API keys: Create a key', path: '/keys', act: press('button', 'Create a key') },
  { name: 'Navigation: Members', path: '/agents', act: press('link', 'Members') },
]

/** Runs in the page: keeps the events of interactions. */
const observeEvents = `globalThis.interactionEvents = []
  new PerformanceObserver((list) => interactionEvents.push(...list.getEntries().filter((entry) => entry.interactionId > 0)))
    .observe({ type: 'event', durationThreshold: 16 })`

/** Runs in the page: the slowest event since they were emptied; null for an interaction that took less than 16 ms. */
const slowestEvent = `(() => {
  const [slowest] = interactionEvents.toSorted((a, b) => b.duration - a.duration)
  if (slowest === undefined) return null
  const { name, startTime, processingStart, processingEnd, duration } = slowest
  return { name, ms: duration, waitingMs: processingStart - startTime, runningMs: processingEnd - processingStart,
    paintingMs: Math.max(0, startTime + duration - processingEnd) }
})()`

const none = { ms: 0, waitingMs: 0, runningMs: 0, paintingMs: 0 }

/** The browser reports entries after the paint, when it is idle. */
const settle = (page) =>
  page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
    setTimeout(() => requestIdleCallback(done), 300))))`)

const measure = async (browser, { path, prepare, act }) => {
  const context = await browser.newContext({ viewport: { width: 1366, height: 650 }, locale: 'en-US' })
  const page = await context.newPage()
  await page.route('**/*', answerWith(answers))
  await page.goto(`${origin}${path}`)
  await page.waitForSelector('main h1')
  await page.waitForSelector('[aria-label=Loading]', { state: 'detached' })
  await page.waitForLoadState('networkidle')
  await prepare?.(page)
  await page.evaluate(observeEvents)
  await settle(page)
  await page.evaluate('interactionEvents.length = 0')
  await act(page)
  await settle(page)
  const slowest = await page.evaluate(slowestEvent)
  await context.close()
  return slowest ?? none
}

const browser = await launchBrowser()
const chosen = interactions.filter(({ name }) => name.includes(options.only))
const measured = new Map(chosen.map(({ name }) => [name, []]))
for (let round = 1; round <= options.rounds; round++) {
  say(`round ${round} of ${options.rounds}`)
  for (const interaction of chosen) measured.get(interaction.name).push(await measure(browser, interaction))
}
await browser.close()

const figures = [...measured].map(([name, rounds]) => {
  const worst = rounds.toSorted((a, b) => b.ms - a.ms)[0]
  return { name, medianMs: median(rounds.map(({ ms }) => ms)), worst }
})
const whole = (ms) => ms.toFixed(0)
const rows = figures.map(({ name, medianMs, worst }) => [
  ...[name, ...[medianMs, worst.ms, worst.waitingMs, worst.runningMs, worst.paintingMs].map(whole), worst.name ?? ''],
])
finish({
  ...options,
  text: table(['interaction', 'median ms', 'worst ms', 'waiting', 'running', 'painting', 'event'], rows),
  figures: { interactions: figures },
  goals: figures.map(({ name, worst }) => goal(`${name}, worst`, worst.ms, ' ms', atMost(goodMs))),
})
