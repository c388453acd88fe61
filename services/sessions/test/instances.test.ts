import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Bus, type Client, connectNatsBus, createClient } from '@parlance/bus'
import { createSessionRegistry, type SessionRegistry } from '@parlance/clients/session-registry'
import {
  creditContract,
  liveSessionsContract,
  sessionRequestSchema,
  sessionsContract,
  tokensContract,
} from '@parlance/contracts'
import { connectRedisTtlStore, type TtlStore } from '@parlance/store'
import {
  describeWithPrograms,
  endProcess,
  startNatsServer,
  startPostgresServer,
  startRedisServer,
  startServiceProcess,
  type TestServer,
} from '@parlance/testing'
import { connectClient } from './fake-client.js'
import { serveFakes } from './fake-services.js'

/** A gateway that connects a client to the conversation in its arguments, and prints the events that the client is sent. */
const gatewayProgram = `
  import { connectNatsBus, createClient } from '@parlance/bus'
  import { liveSessionsContract } from '@parlance/contracts'
  const [url, workspace_id, session_id, instance] = process.argv.slice(1)
  const live = createClient(await connectNatsBus({ url, name: 'gateway' }), liveSessionsContract)
  const stream = live.connectClient({ workspace_id, session_id }, ({ text }) => text && console.log(text), { instance })
  await stream.send({ kind: 'message', text: '{"event":"client.ready"}' })
  await stream.ended
`

describeWithPrograms(['nats', 'redis', 'postgres'], 'instances of the service, each a process', () => {
  let servers: TestServer[]
  let environment: Record<string, string>
  let bus: Bus
  let ttl: TtlStore
  let registry: SessionRegistry
  let fakes: Awaited<ReturnType<typeof serveFakes>>
  let live: Client<typeof liveSessionsContract>
  let records: Client<typeof sessionsContract>
  let tokens: Client<typeof tokensContract>
  let workspaceId: string
  let agentId: string
  let tokensProcess: ChildProcess
  const instances: ChildProcess[] = []

  const startInstance = async (own: Record<string, string> = {}) => {
    const settings = { STT_PROVIDER: 'none', SESSION_UDP_ADDRESS: '127.0.0.1', ...own }
    const child = await startServiceProcess('sessions', { ...environment, ...settings })
    instances.push(child)
    return child
  }

  beforeAll(async () => {
    const [nats, redis, postgres] = await Promise.all([startNatsServer(), startRedisServer(), startPostgresServer()])
    servers = [nats, redis, postgres]
    environment = { NATS_URL: nats.url, REDIS_URL: redis.url, DATABASE_URL: postgres.url }
    bus = await connectNatsBus({ url: nats.url, name: 'test' })
    ttl = await connectRedisTtlStore({ url: redis.url })
    registry = createSessionRegistry(ttl)
    fakes = await serveFakes(bus)
    live = createClient(bus, liveSessionsContract)
    records = createClient(bus, sessionsContract)
    tokens = createClient(bus, tokensContract)
    tokensProcess = await startServiceProcess('tokens', environment)
    workspaceId = randomUUID()
    agentId = randomUUID()
    fakes.agents.set(agentId, {})
    const grant = { workspace_id: workspaceId, amount: '100', reference: 'test' }
    await createClient(bus, creditContract).grant(grant)
  })
  afterEach(() => Promise.all(instances.splice(0).map((child) => endProcess(child, 'SIGKILL'))))
  afterAll(async () => {
    await endProcess(tokensProcess, 'SIGTERM')
    await fakes.stop()
    await bus.close()
    await ttl.close()
    await Promise.all(servers.map((server) => server.stop()))
  })

  const startSession = async () => {
    const { token } = await tokens.mintSessionToken({
      workspace_id: workspaceId,
      key_id: randomUUID(),
      agent_id: agentId,
      end_user_id: null,
    })
    const grant = await tokens.checkSessionToken({ token, agent_id: agentId })
    const request = sessionRequestSchema.parse({ transport: 'websocket' })
    const { session_id } = await live.startSession({ grant, token, request })
    const { instance_id: instance } = (await registry.locate(session_id))!
    return { address: { workspace_id: workspaceId, session_id }, instance }
  }
  const start = async () => {
    const { address, instance } = await startSession()
    const peer = connectClient({ live }, address, instance)
    await peer.send({ event: 'client.ready' })
    await peer.event('session.ready')
    return { address, instance, peer }
  }
  const eventually = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
    for (;;) {
      const found = await look()
      if (found !== undefined) return found
      await delay(100)
    }
  }

  test('a conversation whose instance was killed fails, and no other', async () => {
    const first = await startInstance()
    const dying = await start()
    const second = await startInstance()
    // Until the queue group gives one to the second instance, which the bus chooses.
    const conversations = [dying]
    while (conversations.every(({ instance }) => instance === dying.instance)) conversations.push(await start())
    const surviving = conversations.at(-1)!
    expect(second.exitCode).toBeNull()

    await endProcess(first, 'SIGKILL')
    const record = await eventually(async () => {
      // One that was on its way to the instance when that was killed is lost.
      const found = await records.getSession(dying.address, { deadlineMs: 1_000 }).catch(() => undefined)
      return found?.status === 'failed' ? found : undefined
    })
    expect(record).toMatchObject({ end_reason: 'internal_error', error: { code: 'internal_error' } })
    expect(record.ended_at).not.toBeNull()
    await dying.peer.closed
    expect(dying.peer.failure()).toMatchObject({ code: 'unavailable' })
    expect(await registry.locate(dying.address.session_id)).toMatchObject({ live: false })
    expect(await records.getSession(surviving.address)).toMatchObject({ status: 'active' })
    surviving.peer.hangUp()
    await eventually(async () => {
      const { status } = await records.getSession(surviving.address)
      return status === 'ended' ? status : undefined
    })
  })

  test('an instance that stops accepts no new conversations, announces the end to its own, and ends with them', async () => {
    const stopping = await startInstance({ SESSION_DRAIN_MS: '500' })
    const { address, peer } = await start()
    const staying = await startInstance()
    const ended = endProcess(stopping, 'SIGTERM')
    expect(await peer.event('session.ending')).toMatchObject({ reason: 'drained', deadline_ms: 500 })
    const other = await start()
    expect(await peer.event('session.ended')).toMatchObject({ end_reason: 'drained' })
    await peer.closed
    expect(await ended).toBe(0)
    expect(await records.getSession(address)).toMatchObject({ status: 'ended', end_reason: 'drained' })
    await eventually(async () => {
      const { status } = await records.getSession(other.address)
      return status === 'active' ? status : undefined
    })
    expect(await endProcess(staying, 'SIGTERM')).toBe(0)
    await other.peer.closed
  })

  test('an instance with a long drain time lets its conversation continue, and ends with it', async () => {
    const stopping = await startInstance({ SESSION_DRAIN_MS: '60000' })
    const { address, peer, instance } = await start()
    await startInstance()
    const ended = endProcess(stopping, 'SIGTERM')
    // Until the stopping instance has left the queue group.
    for (let other = await start(); other.instance === instance; other = await start()) other.peer.hangUp()
    await peer.say('Hello')
    await peer.event('transcript', (event) => event.event === 'transcript' && event.role === 'agent' && event.final)
    expect(peer.events.map(({ event }) => event)).not.toContain('session.ending')
    peer.hangUp()
    await peer.closed
    expect(await ended).toBe(0)
    expect(await records.getSession(address)).toMatchObject({ status: 'ended', end_reason: 'user_disconnected' })
  })

  test('a conversation is listened to on the instance that holds it, until that instance stops', async () => {
    const first = await startInstance({ SESSION_DRAIN_MS: '500' })
    const stopping = await start()
    await startInstance()
    const conversations = [stopping]
    while (conversations.every(({ instance }) => instance === stopping.instance)) conversations.push(await start())
    const staying = conversations.at(-1)!
    const actor = { kind: 'person', id: randomUUID() } as const
    const leaving = new AbortController()
    const listen = async ({ address, instance: expected }: typeof staying) => {
      const { instance_id: instance } = await records.findInstance(address)
      expect(instance).toBe(expected)
      let count = 0
      let first = (_at: number) => {}
      const firstMs = new Promise<number>((resolve) => {
        first = resolve
      })
      const ended = live.listen({ ...address, actor }, { instance })(({ data }) => {
        if (data.length > 0) first(count++)
      }, leaving.signal)
      await firstMs
      return { ended, count: () => count }
    }
    const [ofStopping, ofStaying] = [await listen(stopping), await listen(staying)]
    const ended = endProcess(first, 'SIGTERM')
    await ofStopping.ended
    expect(await ended).toBe(0)
    const before = ofStaying.count()
    await eventually(async () => ofStaying.count() > before || undefined)
    leaving.abort()
    await expect(ofStaying.ended).rejects.toThrow('abort')
    for (const { peer } of conversations) peer.hangUp()
  })

  test('full instances get no conversation, and a token that finds no room stays unused', async () => {
    await Promise.all([startInstance({ SESSION_LIMIT: '1' }), startInstance({ SESSION_LIMIT: '1' })])
    const [one, two] = [await start(), await start()]
    expect(one.instance).not.toBe(two.instance)
    await expect(start()).rejects.toMatchObject({ code: 'unavailable' })
    one.peer.hangUp()
    const { instance } = await eventually(() => start().catch(() => undefined))
    expect(instance).toBe(one.instance)
  })

  test('a conversation whose gateway was killed is connection_lost, and no other', async () => {
    await startInstance()
    const surviving = await start()
    const { address, instance } = await startSession()
    const gateway = spawn(
      process.execPath,
      ['--input-type=module', '--eval', gatewayProgram, environment.NATS_URL!, ...Object.values(address), instance],
      { cwd: fileURLToPath(new URL('..', import.meta.url)), stdio: ['ignore', 'pipe', 'inherit'] },
    )
    for await (const events of gateway.stdout) if (String(events).includes('session.ready')) break
    await endProcess(gateway, 'SIGKILL')
    const record = await eventually(async () => {
      const found = await records.getSession(address)
      return found.status === 'ended' ? found : undefined
    })
    expect(record).toMatchObject({ end_reason: 'connection_lost' })
    expect(await records.getSession(surviving.address)).toMatchObject({ ended_at: null })
    surviving.peer.hangUp()
  })
})
