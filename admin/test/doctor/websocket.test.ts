import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkWebsocket } from '../../src/doctor/checks/websocket.js'
import { createContext, expectFinding, expectFine, notAborted } from './check-context.js'
import { openStandIn } from './stand-in-server.js'

describe('the check of WebSockets', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-doctor-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const check = (url: string | undefined, key = 'a-key', wsIdle: number | undefined = 1) => {
    const environment = { PARLANCE_DATA: folder, PARLANCE_API_KEY: key }
    return checkWebsocket(createContext({ environment, ...(url && { url }), ...(wsIdle && { wsIdle }) }), notAborted)
  }
  const checkAt = async (options: Parameters<typeof openStandIn>[0], key?: string) => {
    const server = await openStandIn(options)
    try {
      return await check(server.url, key)
    } finally {
      await server.close()
    }
  }

  test('one that stays open is fine', async () => {
    const findings = await checkAt({})
    expectFine(findings)
    expectFinding(findings, 'ok', /stayed open for 1 s/)
  })

  test('one that is cut on the way mentions the timeouts of the Ingress', async () => {
    const findings = await checkAt({ cutAfterMs: 50 })
    expectFinding(findings, 'error', /An idle WebSocket at http:\/\/127\.0\.0\.1:\d+ was cut after \d+ s/)
    expect(findings[0]?.fix).toContain('ingress.timeoutSeconds')
  })

  test('one that the gateway closes has its code', async () => {
    expectFinding(await checkAt({ closeCode: 4408 }), 'error', /was closed with 4408 after \d+ s: for a reason/)
  })

  test('a proxy that does not pass on upgrades is an error', async () => {
    expectFinding(await checkAt({ refusesUpgrades: true }), 'error', /opens no WebSocket: .*426/)
  })

  test('a key that is refused is an error that does not show it', async () => {
    const findings = await checkAt({}, 'hunter2')
    expectFinding(findings, 'error', /^No token for a WebSocket .* answers 401/)
    expect(JSON.stringify(findings)).not.toContain('hunter2')
  })

  test('an unknown address or key is an error, and the check runs only on request', async () => {
    expectFinding(await check(undefined), 'error', /public address is not known/)
    expectFinding(await check('http://127.0.0.1:9', ''), 'error', /needs an API key/)
    expectFinding(await check('http://127.0.0.1:9', 'a-key', 0), 'skipped', /--ws-idle SECONDS/)
  })
})
