import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { freePort } from '@parlance/testing'
import { checkIce } from '../../src/doctor/checks/ice.js'
import { openStunResponder } from '../../src/doctor/network/stun.js'
import { createContext, expectFinding, expectFine, notAborted } from './check-context.js'
import { openTurnServer } from './turn-server.js'

const check = (environment: Record<string, string>) => checkIce(createContext({ environment }), notAborted)

test('without servers there is nothing to check', async () => {
  expectFinding(await check({}), 'skipped', /STUN_URLS and TURN_URLS are not set/)
})

test('a STUN server that responds is fine, and one that does not is an error', async () => {
  const responder = await openStunResponder(0, '127.0.0.1')
  try {
    const findings = await check({ STUN_URLS: `stun:127.0.0.1:${responder.port}` })
    expectFine(findings)
    expectFinding(findings, 'ok', /responds in [\d.]+ ms, and sees this machine as 127\.0\.0\.1:\d+/)
  } finally {
    responder.close()
  }
  expectFinding(
    await check({ STUN_URLS: `stun:127.0.0.1:${responder.port}` }),
    'error',
    /does not respond to STUN requests/,
  )
  expectFinding(await check({ STUN_URLS: 'stun:no-such-host.invalid' }), 'error', /no-such-host\.invalid/)
  expectFinding(await check({ STUN_URLS: 'stun.example.com' }), 'error', /is not the address of a STUN or TURN server/)
})

/** About one in a hundred responses of the package `node-turn` is malformed, so a refused request is repeated. */
const checkAllocation = async (environment: Record<string, string>) => {
  const isAllocated = ({ found }: { readonly found: string }) => /allocates 127\.0\.0\.1:\d+ for/.test(found)
  for (let tries = 3; ; tries--) {
    const findings = await check(environment)
    if (tries === 1 || findings.some(isAllocated)) return findings
  }
}

test('a TURN server allocates an address only for its own secret', async () => {
  const turn = await openTurnServer('shared-secret')
  const TURN_URLS = `turn:127.0.0.1:${turn.port}?transport=udp`
  try {
    const findings = await checkAllocation({ TURN_URLS, TURN_SECRET: 'shared-secret' })
    expectFine(findings)
    expectFinding(findings, 'ok', /allocates 127\.0\.0\.1:\d+ for the credentials of TURN_SECRET/)
    expectFinding(await check({ TURN_URLS, TURN_SECRET: 'another' }), 'error', /responds, but allocates no address/)
    expectFinding(await check({ TURN_URLS }), 'error', /^TURN_SECRET is not set/)
    const silent = `turn:127.0.0.1:${await freePort()}?transport=udp`
    const ofBoth = await checkAllocation({ TURN_URLS: `${silent},${TURN_URLS}`, TURN_SECRET: 'shared-secret' })
    expectFinding(ofBoth, 'ok', /allocates 127\.0\.0\.1:\d+ for the credentials of TURN_SECRET/)
    expectFinding(ofBoth, 'error', /does not respond/)
  } finally {
    turn.close()
  }
})

test('servers over TCP and TLS are connected to', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const TURN_URLS = `turn:127.0.0.1:${port}?transport=tcp,turns:127.0.0.1:${await freePort()}`
  const findings = await check({ TURN_URLS, TURN_SECRET: 'shared-secret' })
  expectFinding(findings, 'ok', /transport=tcp accepts connections; its credentials are not checked over TCP/)
  expectFinding(findings, 'error', /^No connection to turns:127\.0\.0\.1/)
  server.close()
})
