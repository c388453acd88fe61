import type { Service } from '@parlance/runtime'
import { sessions } from '@parlance/service-sessions'
import { freePort } from '@parlance/testing'
import { checkOutbound } from '../../src/doctor/checks/outbound.js'
import { createContext, expectFinding, expectFine, notAborted } from './check-context.js'
import { openStandIn } from './stand-in-server.js'

const check = (environment: Record<string, string>) =>
  checkOutbound(createContext({ environment, services: [sessions] as Service[] }), notAborted)

test('without rules, webhook tools reach the public Internet and nothing else', async () => {
  const findings = await check({ REDIS_URL: 'redis://127.0.0.1:6379', DATABASE_URL: 'postgres://10.0.0.5/parlance' })
  expectFine(findings)
  expectFinding(findings, 'ok', /the public Internet and nothing else/)
})

test.each([
  ['169.254.0.0/16', 'error', /169\.254\.169\.254, where clouds provide credentials/],
  ['127.0.0.0/8', 'warning', /this machine itself/],
  ['127.0.0.0/8', 'warning', /may call 127\.0\.0\.1, the server of REDIS_URL/],
  ['10.0.0.0/8', 'warning', /may call 10\.0\.0\.5, the server of DATABASE_URL/],
  ['no-such-host.invalid', 'error', /^no-such-host\.invalid of OUTBOUND_ALLOW does not resolve/],
  ['10.0.0.0/99', 'error', /^OUTBOUND_ALLOW: .*neither a host nor a network/],
] as const)('the rule %s is reported: %s', async (OUTBOUND_ALLOW, status, found) => {
  const servers = { REDIS_URL: 'redis://127.0.0.1:6379', DATABASE_URL: 'postgres://10.0.0.5/parlance' }
  expectFinding(await check({ ...servers, OUTBOUND_ALLOW }), status, found)
})

test('a server is called when it has a key or an address, and the key is not shown', async () => {
  const server = await openStandIn()
  try {
    const fine = await check({ LLM_OPENAI_API_KEY: 'hunter2', LLM_OPENAI_URL: `${server.url}/v1` })
    expectFinding(fine, 'ok', /^http:\/\/127\.0\.0\.1:\d+\/v1 \(LLM_OPENAI_URL\) accepts connections/)
    expect(JSON.stringify(fine)).not.toContain('hunter2')
  } finally {
    await server.close()
  }
  const away = await check({ SEARCH_SEARXNG_URL: `http://127.0.0.1:${await freePort()}` })
  expectFinding(away, 'error', /^No connection to http:\/\/127\.0\.0\.1:\d+ \(SEARCH_SEARXNG_URL\): .*ECONNREFUSED/)
})
