import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWithPrograms, freePort, startNatsServer, type TestServer } from '@parlance/testing'
import { type Bus, connectNatsBus, createClient, type NatsBusOptions, serve } from '../../src/index.js'
import { kitchen, newInstanceId } from '../buses.js'
import { type CertificateAuthority, createCertificateAuthority } from './certificates.js'
import { createConnectionWatch } from './connection-watch.js'

describeWithPrograms(['nats'], 'three NATS servers over TLS', () => {
  let folder: string
  let authority: CertificateAuthority
  let servers: TestServer[]
  let buses: Bus[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nats-cluster-'))
    authority = await createCertificateAuthority(folder, 'authority')
  })
  afterAll(() => rm(folder, { recursive: true }))

  beforeEach(async () => {
    buses = []
    const routes = [await freePort(), await freePort(), await freePort()]
    const { certFile, keyFile } = await authority.issue('server', { dns: ['localhost'], ips: ['127.0.0.1'] })
    const start = async (route: number) => {
      const file = join(folder, `nats-${route}.conf`)
      await writeFile(
        file,
        `tls { cert_file: "${certFile}", key_file: "${keyFile}" }
         lame_duck_grace_period: "1s", lame_duck_duration: "30s"
         cluster { name: c, listen: "127.0.0.1:${route}"
                   routes: [${routes.map((other) => `"nats://127.0.0.1:${other}"`).join(', ')}] }`,
      )
      return startNatsServer({ args: ['--config', file] })
    }
    servers = await Promise.all(routes.map(start))
  })
  afterEach(async () => {
    await Promise.all(buses.map((bus) => bus.close()))
    await Promise.all(servers.map((server) => server.stop()))
  })

  /** Connects to one of the servers, which makes the others known. */
  const open = async (server: number, onStateChange?: NatsBusOptions['onStateChange']) => {
    const url = `tls://localhost:${servers[server]!.port}`
    const tls = { caFile: authority.caFile }
    const bus = await connectNatsBus({ url, name: 'x', tls, ...(onStateChange && { onStateChange }) })
    buses.push(bus)
    return bus
  }

  const serveKitchen = async (bus: Bus) =>
    serve(
      bus,
      kitchen,
      { cook: ({ dish }) => ({ served: dish }), async *courses() {} },
      { instanceId: newInstanceId() },
    )

  /** The servers of a cluster learn of each other's subscriptions a moment after they are made. */
  const untilServed = async (bus: Bus) => {
    const { cook } = createClient(bus, kitchen)
    while ((await cook({ dish: 'ready?' }).catch(() => undefined)) === undefined) {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  test('when the connected server is killed, a client is connected to another and every call ends', async () => {
    const callee = await open(1)
    await serveKitchen(callee)
    const watch = createConnectionWatch()
    const caller = await open(0, watch.onStateChange)
    await untilServed(caller)
    const { cook } = createClient(caller, kitchen)

    const lost = watch.until(false)
    const back = watch.until(true)
    const calls = Array.from({ length: 50 }, (_, index) => cook({ dish: String(index) }, { deadlineMs: 1_000 }))
    const outcomes = Promise.allSettled(calls)
    await servers[0]!.kill()
    await lost
    await back

    for (const [index, outcome] of (await outcomes).entries()) {
      if (outcome.status === 'fulfilled') expect(outcome.value).toEqual({ served: String(index) })
      else expect(['upstream_timeout', 'unavailable']).toContain(outcome.reason.code)
    }
    await untilServed(caller)
  })

  test('a lame-duck server hands its clients to the others, with their subscriptions', async () => {
    const watch = createConnectionWatch()
    const callee = await open(0, watch.onStateChange)
    await serveKitchen(callee)
    const caller = await open(1)
    await untilServed(caller)

    const back = watch.until(true)
    // The signal for lame-duck mode: the server closes its connections one by one and exits.
    await servers[0]!.kill('SIGUSR2')
    await back
    await untilServed(caller)
  })
})
