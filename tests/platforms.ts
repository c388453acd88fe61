import type { ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bus, Client } from '@parlance/bus'
import { connectNatsBus, createClient } from '@parlance/bus'
import {
  auditContract,
  authContract,
  type Capability,
  calendarContract,
  catalogContract,
  creditContract,
  peopleContract,
  recordingsContract,
  sessionsContract,
  tokensContract,
} from '@parlance/contracts'
import type { Service } from '@parlance/runtime'
import { startServices } from '@parlance/runtime'
import type { gateway } from '@parlance/service-gateway'
import { services } from '@parlance/service-standalone'
import { type Database, type DatabaseSchema, openPostgresDatabase } from '@parlance/store'
import { createLogger } from '@parlance/telemetry'
import type { ProgramName, TestServer } from '@parlance/testing'
import {
  describeWithPrograms,
  endProcess,
  freePort,
  patientClient,
  startNatsServer,
  startPostgresServer,
  startRedisServer,
  startServiceProcess,
} from '@parlance/testing'

/** A running Parlance: all services in one process, or each in its own. */
export interface TestPlatform {
  /** One address for each gateway replica. */
  readonly urls: readonly [string, ...string[]]
  readonly auth: Client<typeof authContract>
  readonly calendar: Client<typeof calendarContract>
  readonly catalog: Client<typeof catalogContract>
  readonly credit: Client<typeof creditContract>
  readonly people: Client<typeof peopleContract>
  readonly audit: Client<typeof auditContract>
  readonly recordings: Client<typeof recordingsContract>
  readonly sessions: Client<typeof sessionsContract>
  readonly tokens: Client<typeof tokensContract>
  /** The process of the speech worker: this process when all services are in it. */
  readonly speakingPid: number
  /** That process's metrics. */
  readonly metricsUrl: string
  /** The processes of the services, when they are separate, and functions that start further ones. */
  readonly processes?: {
    readonly sessions: ChildProcess
    /** In the order of `urls`. */
    readonly gateways: readonly ChildProcess[]
    startSessions(): Promise<ChildProcess>
    /** The first one is `speakingPid`. */
    startSpeechWorker(): Promise<SpeechWorkerProcess>
  }
  /** Opens the tables of a service, for changes that its methods do not make. The test closes the database. */
  openDatabase(schema: DatabaseSchema): Promise<Database>
  /** The real servers, when the services are separate. */
  readonly servers?: { nats: TestServer; redis: TestServer; postgres: TestServer }
  stop(): Promise<void>
}

export interface SpeechWorkerProcess {
  readonly child: ChildProcess
  readonly metricsUrl: string
}

const clientsOn = (bus: Bus) => ({
  auth: patientClient(createClient(bus, authContract)),
  calendar: patientClient(createClient(bus, calendarContract)),
  catalog: patientClient(createClient(bus, catalogContract)),
  credit: patientClient(createClient(bus, creditContract)),
  people: patientClient(createClient(bus, peopleContract)),
  audit: patientClient(createClient(bus, auditContract)),
  recordings: patientClient(createClient(bus, recordingsContract)),
  sessions: patientClient(createClient(bus, sessionsContract)),
  tokens: patientClient(createClient(bus, tokensContract)),
})

const settings = {
  API_KEY_PEPPERS: '1:a-pepper-for-tests-only',
  CALENDAR_FEED_KEY: 'a-feed-key-for-tests-only',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'warn',
  // Webhooks are received by tests.
  OUTBOUND_ALLOW: '127.0.0.1',
  // A busy machine may need long to start the servers and for the first audio.
  STARTUP_WAIT_MS: '120000',
  FIRST_AUDIO_DEADLINE_MS: '25000',
  // The voices are the same on every machine.
  TTS_INSTALLED_ENGINES: 'false',
}

/** All services in this process, with everything embedded. */
export const startTogether = async (
  more: Readonly<Record<string, string>> = {},
  gatewayService?: Pick<typeof gateway, keyof Service>,
): Promise<TestPlatform> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'parlance-together-'))
  // As root, Postgres runs under another account, which must be able to enter.
  await chmod(dataFolder, 0o711)
  const port = more.PORT ?? String(await freePort())
  const healthPort = await freePort()
  const { platform, stop } = await startServices(
    services.map((service) => (service.name === 'gateway' && gatewayService ? (gatewayService as Service) : service)),
    {
      environment: {
        ...settings,
        ...more,
        PORT: port,
        HEALTH_PORT: String(healthPort),
        PARLANCE_DATA: dataFolder,
        RECORDING_FOLDER: join(dataFolder, 'recordings'),
      },
      logger: createLogger({ level: 'warn' }),
    },
  )
  return {
    urls: [`http://127.0.0.1:${port}`],
    ...clientsOn(platform.bus),
    speakingPid: process.pid,
    metricsUrl: `http://127.0.0.1:${healthPort}/metrics`,
    openDatabase: (schema) => platform.openDatabase(schema),
    async stop() {
      await stop()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

/** Every service a process of its own, two of the gateway, over real servers. */
export const startApart = async (): Promise<TestPlatform & Required<Pick<TestPlatform, 'processes'>>> => {
  const [nats, redis, postgres] = await Promise.all([startNatsServer(), startRedisServer(), startPostgresServer()])
  const ports = [await freePort(), await freePort()] as const
  const ttsHealthPort = await freePort()
  const addresses = { NATS_URL: nats.url, REDIS_URL: redis.url, DATABASE_URL: postgres.url }
  const start = (name: string, environment: Record<string, string> = {}) =>
    startServiceProcess(name, { ...settings, ...addresses, ...environment })
  const [ttsService, sessionsService, ...others] = await Promise.all([
    start('tts', { HEALTH_PORT: String(ttsHealthPort) }),
    start('sessions'),
    start('gateway', { PORT: String(ports[0]) }),
    start('gateway', { PORT: String(ports[1]) }),
    ...services.filter(({ name }) => !['tts', 'sessions', 'gateway'].includes(name)).map(({ name }) => start(name)),
  ])
  const children = [ttsService, sessionsService, ...others]
  const bus: Bus = await connectNatsBus({ url: nats.url, name: 'test' })
  return {
    urls: [`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`],
    ...clientsOn(bus),
    speakingPid: ttsService.pid!,
    metricsUrl: `http://127.0.0.1:${ttsHealthPort}/metrics`,
    processes: {
      sessions: sessionsService,
      gateways: others.slice(0, ports.length),
      async startSessions() {
        const child = await start('sessions')
        children.push(child)
        return child
      },
      async startSpeechWorker() {
        const healthPort = await freePort()
        const child = await start('tts', { HEALTH_PORT: String(healthPort) })
        children.push(child)
        return { child, metricsUrl: `http://127.0.0.1:${healthPort}/metrics` }
      },
    },
    openDatabase: (schema) => openPostgresDatabase({ url: postgres.url, ...schema }),
    servers: { nats, redis, postgres },
    async stop() {
      await bus.close()
      await Promise.all(children.map((child) => endProcess(child)))
      await Promise.all([nats.stop(), redis.stop(), postgres.stop()])
    },
  }
}

export type PlatformSuite = (platform: () => TestPlatform) => void

/** A suite that shares its platform with others: one takes longer to start than most suites. It needs workspaces of its own. */
export const onPlatform =
  (name: string, suite: PlatformSuite): PlatformSuite =>
  (platform) =>
    describe(name, () => suite(platform))

interface PlatformsOptions {
  readonly programs?: readonly ProgramName[]
  /** What runs only with a process for each service: it has several gateways, or does not depend on how services are connected. */
  readonly apart?: PlatformSuite
}

/** Runs the suite twice: with all services in one process, and with a process for each. */
export const describePlatforms = (
  name: string,
  suite: PlatformSuite,
  { programs = [], apart = () => {} }: PlatformsOptions = {},
): void => {
  const runOn =
    (start: () => Promise<TestPlatform>, ...suites: readonly PlatformSuite[]) =>
    () => {
      let platform: TestPlatform
      beforeAll(async () => {
        platform = await start()
      })
      afterAll(() => platform?.stop())
      for (const run of suites) run(() => platform)
    }
  describeWithPrograms(programs, `${name}, all in one process`, runOn(startTogether, suite))
  describeWithPrograms(
    ['nats', 'redis', 'postgres', ...programs],
    `${name}, one process each`,
    runOn(startApart, suite, apart),
  )
}

export interface NewKeyOptions {
  capabilities?: Capability[]
  /** Nothing is granted when this is null. */
  credit?: string | null
}

/** A new workspace with credit, and a key of it. */
export const newKey = async (
  { auth, credit: ledger }: Pick<TestPlatform, 'auth' | 'credit'>,
  { capabilities = ['tts', 'stt', 'agents'], credit = '100' }: NewKeyOptions = {},
) => {
  const workspace = await auth.createWorkspace({ name: 'Test', capabilities })
  if (credit !== null) await ledger.grant({ workspace_id: workspace.id, amount: credit, reference: 'test' })
  const key = await auth.createKey({ workspace_id: workspace.id, label: 'Test' })
  return { workspace, key, authorization: `Bearer ${key.key}` }
}
