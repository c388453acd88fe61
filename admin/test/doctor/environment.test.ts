import { checkEnvironment } from '../../src/doctor/checks/environment.js'
import { createContext, expectFinding, expectFine } from './check-context.js'

const complete = {
  NATS_URL: 'nats://nats:4222',
  REDIS_URL: 'redis://redis:6379',
  DATABASE_URL: 'postgres://parlance:secret@postgres:5432/parlance',
  API_KEY_PEPPERS: '1:a-pepper-for-tests-only',
}
const check = (environment: Record<string, string>, more = {}) =>
  checkEnvironment(createContext({ environment, ...more }))

test('an environment in which all is valid is fine', async () => {
  expectFine(await check({ ...complete, PATH: '/bin', HOME: '/root', TERM: 'xterm', HOSTNAME: 'pod-1' }))
})

test('a value that is not valid is an error that does not show it', async () => {
  const findings = await check({ ...complete, LOG_LEVEL: 'hunter2' })
  expectFinding(findings, 'error', /^LOG_LEVEL is not valid\. .*"trace"/)
  expect(JSON.stringify(findings)).not.toContain('hunter2')
})

test('ways to authenticate that exclude each other are an error', async () => {
  const findings = await check({ ...complete, NATS_TOKEN: 'a', NATS_CREDS_FILE: '/creds' })
  expectFinding(findings, 'error', /^NATS_CREDS_FILE and NATS_TOKEN are set/)
})

test.each([
  ['DATABASE_URI', 'DATABASE_URL'],
  ['API_KEY_PEPPER', 'API_KEY_PEPPERS'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['OTEL_EXPORTER_OTLP_HEADERS', undefined],
  ['REDIS_SERVICE_HOST', undefined],
])('the unknown name %s is a typing error of %s', async (name, meant) => {
  const findings = await check({ ...complete, [name]: 'x' })
  if (meant === undefined) expectFine(findings)
  else expectFinding(findings, 'warning', new RegExp(`^No service reads ${name}. Did you mean ${meant}`))
})

test('a missing variable is an error for the named services, and only mentioned for others', async () => {
  const { API_KEY_PEPPERS, ...without } = complete
  expect(API_KEY_PEPPERS).toBeDefined()
  expectFinding(await check(without), 'skipped', /API_KEY_PEPPERS \(auth\)/)
  expectFinding(await check(without, { service: ['auth'] }), 'error', /^API_KEY_PEPPERS is not set, and auth needs it/)
  expectFine(await check(without, { service: ['agents'] }))
  // `npm start` creates it.
  expect(await check(without, { isStandalone: true })).toEqual([expect.objectContaining({ status: 'ok' })])
})
