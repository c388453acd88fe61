// The scenes of the pages of webhooks.
import { at, failed, id, longName, rightToLeft, signedInAs } from './answers.mjs'

const list = '/dashboard/api/v1/webhooks'
const webhook = (number, url, more = {}) => ({
  id: id(number),
  url,
  events: ['agent.published', 'agent_session.ended'],
  description: '',
  enabled: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  created_at: at(number),
  updated_at: at(number),
  ...more,
})
const broken = { enabled: false, disabled_reason: 'failing', disabled_at: at(0.2), failing_since: at(5.2) }
const everyEvent = [
  ...['agent.published', 'agent_session.started', 'agent_session.ended', 'agent_session.failed'],
  ...['credit.low', 'credit.exhausted', 'api_key.revoked'],
]
const webhooks = [
  webhook(1, 'https://example.com/hooks', { description: 'The journal of conversations' }),
  webhook(2, `https://hooks.example.com/${'a-long-path/'.repeat(12)}?token=1234567890`, { description: longName }),
  webhook(3, 'https://billing.example.com/parlance', { events: everyEvent, failing_since: at(1) }),
  webhook(4, 'https://old.example.com/', { ...broken, description: rightToLeft }),
  webhook(5, 'https://paused.example.com/', { enabled: false, disabled_reason: 'requested', disabled_at: at(2) }),
]
const pageOf = (items) => ({ body: { webhooks: items, next_cursor: null } })
const withList = (answer) => ({ ...signedInAs('owner'), [list]: answer })

const attempt = (daysAgo, status, more = {}) => ({
  attempted_at: at(daysAgo),
  duration_ms: 184,
  status,
  response: '',
  error: status === 204 ? null : `The response has the status ${status}.`,
  ...more,
})
const noAnswer = (daysAgo) =>
  attempt(daysAgo, null, { duration_ms: 15_002, response: null, error: 'The server did not answer in time.' })
const delivery = (number, type, status, attempts, next_attempt_at = null) => ({
  id: id(200 + number),
  webhook_id: id(1),
  event_id: id(300 + number),
  ...{ type, status, attempts, next_attempt_at },
  created_at: at(number / 30),
})
const refusal = { response: `<!doctype html>\n<title>${longName}</title>\n<h1>${rightToLeft}</h1>` }
const deliveries = [
  delivery(0, 'agent_session.ended', 'pending', []),
  delivery(1, 'agent_session.ended', 'pending', [noAnswer(0.01), attempt(0.03, 500, refusal)], at(-0.02)),
  delivery(2, 'agent.published', 'succeeded', [attempt(0.06, 204)]),
  delivery(3, 'agent_session.ended', 'failed', [attempt(0.1, 404, refusal), noAnswer(0.5), noAnswer(0.7)]),
  ...[4, 5, 6].map((number) => delivery(number, 'agent_session.ended', 'succeeded', [attempt(number / 30, 204)])),
]

/** The page of the first webhook. */
const path = `/webhooks/${id(1)}`
const one = `${list}/${id(1)}`
const withOne = (more = {}, log = deliveries) => ({
  ...withList(pageOf(webhooks)),
  [one]: { body: { ...webhooks[0], ...more } },
  [`${one}/deliveries`]: { body: { deliveries: log, next_cursor: log.length > 0 ? 'next' : null } },
  [`${one}/rotate-secret`]: {
    body: { ...webhooks[0], secret: `whsec_${'Ab3+'.repeat(10)}=`, previous_secrets_expire_at: at(-1) },
  },
})
const press = (name) => (page) => page.getByRole('button', { name, exact: true }).first().click()

export const webhookScenes = [
  { name: 'webhooks', path: '/webhooks', answers: withList(pageOf(webhooks)) },
  { name: 'webhooks-empty', path: '/webhooks', answers: withList(pageOf([])) },
  { name: 'webhooks-loading', path: '/webhooks', answers: withList('pending') },
  { name: 'webhooks-failed', path: '/webhooks', answers: withList({ ...failed, status: 500 }) },
  { name: 'webhooks-create', path: '/webhooks', answers: withList(pageOf(webhooks)), act: press('Create a webhook') },
  {
    name: 'webhooks-created',
    path: '/webhooks',
    answers: withList({ body: { ...webhooks[0], webhooks, secret: `whsec_${'Ab3+'.repeat(10)}=` } }),
    async act(page) {
      await press('Create a webhook')(page)
      await page.getByLabel('Address').fill('https://example.com/hooks')
      await page.getByRole('checkbox').first().check()
      await press('Create')(page)
      await page.getByRole('group', { name: 'the secret' }).waitFor()
    },
  },
  {
    name: 'webhooks-many',
    path: '/webhooks',
    answers: withList(
      pageOf(
        Array.from({ length: 20 }, (_, index) => ({
          ...webhooks[0],
          id: id(200 + index),
          url: `https://receiver-${index + 1}.example.com/hooks`,
        })),
      ),
    ),
  },
  { name: 'webhook-failed', path, answers: { ...withOne(), [one]: failed } },
  { name: 'webhook', path, answers: withOne() },
  { name: 'webhook-empty', path, answers: withOne({}, []) },
  { name: 'webhook-failing', path, answers: withOne({ failing_since: at(1), description: longName }) },
  { name: 'webhook-disabled', path, answers: withOne(broken) },
  {
    name: 'webhook-missing',
    path,
    answers: {
      ...signedInAs('owner'),
      [one]: { status: 404, body: { code: 'not_found', detail: 'There is no such webhook.' } },
    },
  },
  {
    name: 'webhook-attempts',
    path,
    answers: withOne(),
    act: (page) => page.getByRole('button', { name: 'Attempts of agent_session.ended' }).nth(1).click(),
  },
  { name: 'webhook-edit', path, answers: withOne({ events: everyEvent }), act: press('Edit') },
  {
    name: 'webhook-rotated',
    path,
    answers: withOne(),
    async act(page) {
      await press('Rotate the secret')(page)
      await press('Make a new secret')(page)
      await page.getByRole('group', { name: 'the secret' }).waitFor()
    },
  },
  { name: 'webhook-disable', path, answers: withOne(), act: press('Disable') },
]
