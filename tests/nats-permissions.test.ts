import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectNatsBus, createClient, type NatsRefusal, probeNats } from '@parlance/bus'
import * as contracts from '@parlance/contracts'
import { type Running, type Service, startServices } from '@parlance/runtime'
import { services } from '@parlance/service-standalone'
import { createLogger } from '@parlance/telemetry'
import {
  describeWithPrograms,
  freePort,
  startNatsServer,
  startPostgresServer,
  startRedisServer,
  type TestServer,
} from '@parlance/testing'
import { natsAuthorization } from '../cli/src/commands/nats-accounts.js'
import { inboxPrefixOf, natsPermissionsOf, natsTrialOf, traffic } from '../cli/src/nats/nats-permissions.js'
import { createApi } from './api.js'
import { eventually } from './eventually.js'
import { newKey } from './platforms.js'
import { publishAgent } from './publish-agent.js'
import { connectSession } from './session-peer.js'

const users = Object.keys(traffic)
const passwordOf = (user: string) => `password-of-${user}`

test('no service but those that do it for people may make keys and workspaces, grant credit or read accounts', () => {
  const mayCall = (method: string) =>
    users.filter((user) => natsPermissionsOf(user).publish.includes(`parlance.${method}`))
  expect(mayCall('auth.createWorkspace')).toEqual(['cli'])
  expect(mayCall('auth.createKey')).toEqual(['gateway', 'cli'])
  expect(mayCall('credit.grant')).toEqual(['gateway', 'cli'])
  expect(mayCall('people.setOperator')).toEqual(['cli'])
  expect(mayCall('people.createAccountLink')).toEqual(['cli'])
  expect(mayCall('auth.findEndedKeys')).toEqual(['gateway', 'sessions', 'cli'])
  expect(mayCall('model-providers.getSealedProvider')).toEqual(['sessions'])
})

describeWithPrograms(['nats', 'redis', 'postgres'], 'the users of NATS', () => {
  let folder: string
  let nats: TestServer
  const servers: TestServer[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-nats-'))
    const file = join(folder, 'users.conf')
    await writeFile(
      file,
      natsAuthorization((user) => `user: ${user}, password: ${passwordOf(user)}`),
    )
    nats = await startNatsServer({ args: ['--config', file] })
    servers.push(nats)
  })
  afterAll(async () => {
    for (const server of servers) await server.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const optionsOf = (user: string) => ({
    url: nats.url,
    name: user,
    credentials: { user, password: passwordOf(user) },
    inboxPrefix: inboxPrefixOf(user),
  })

  test.each(users)(
    '%s is denied every method that it does not call, of other services and of those it calls, and the inboxes of others',
    async (user) => {
      const { tried, denied } = natsTrialOf(user)
      const { refusals } = await probeNats(optionsOf(user), tried)
      const operations = refusals.map(
        (refusal) => refusal.denied && `${refusal.denied.operation} ${refusal.denied.subject}`,
      )
      const expected = [
        ...denied.publish.map((subject) => `publish ${subject}`),
        ...denied.subscribe.map((subject) => `subscription ${subject}`),
      ]
      expect(expected.length).toBeGreaterThan(50)
      expect(operations.sort()).toEqual(expected.sort())
    },
  )

  test('speech and a conversation need nothing that a user is denied', async () => {
    const [redis, postgres] = await Promise.all([startRedisServer(), startPostgresServer()])
    servers.push(redis, postgres)
    const problems: string[] = []
    const logger = createLogger({ level: 'error', destination: { write: (line: string) => void problems.push(line) } })
    const port = await freePort()
    const start = (service: Service) =>
      startServices([service], {
        logger,
        environment: {
          NATS_URL: nats.url,
          NATS_USER: service.name,
          NATS_PASSWORD: passwordOf(service.name),
          NATS_INBOX_PREFIX: inboxPrefixOf(service.name),
          REDIS_URL: redis.url,
          DATABASE_URL: postgres.url,
          API_KEY_PEPPERS: '1:a-pepper-for-tests-only',
          CALENDAR_FEED_KEY: 'a-feed-key-for-tests-only',
          HOST: '127.0.0.1',
          PORT: String(port),
        },
      })
    const running: Running[] = await Promise.all(services.map(start))
    const refused: NatsRefusal[] = []
    const operator = await connectNatsBus({ ...optionsOf('cli'), onRefused: (refusal) => refused.push(refusal) })
    try {
      const url = `http://127.0.0.1:${port}`
      const clients = {
        auth: createClient(operator, contracts.authContract),
        credit: createClient(operator, contracts.creditContract),
      }
      const { authorization } = await newKey(clients)
      const api = createApi(url, authorization)
      const voice = await api.voice()
      const spoken = await api.post('/v1/tts', { text: 'Hello.', voice_id: voice.id, response_mode: 'json' })
      expect(spoken.body.audio_duration_ms).toBeGreaterThan(100)
      const fields = { voice, first_message: 'Welcome.' }
      const agent = await publishAgent(api, fields)
      const { body: token } = await api.post(`/v1/agents/${agent}/session-tokens`)
      const caller = createApi(url, `Bearer ${token.token}`)
      const started = await caller.post(`/v1/agents/${agent}/sessions`, { transport: 'websocket' })
      const peer = await connectSession(started.body.websocket_url, token.token)
      peer.send({ event: 'client.ready' })
      await eventually(() => (peer.loudest() > 0.05 ? true : undefined))
      const { status } = await caller.delete(`/v1/agents/${agent}/sessions/${started.body.session_id}`)
      expect(status).toBe(204)
      await peer.closed
    } finally {
      await operator.close()
      // Callers stop before what they call.
      for (const one of running.toReversed()) await one.stop()
    }
    expect({ refused, problems }).toEqual({ refused: [], problems: [] })
  })
})
