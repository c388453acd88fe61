import { randomUUID } from 'node:crypto'
import { type Client, createClient, createInProcessBus, type Handlers, type ServedContract, serve } from '@parlance/bus'
import {
  type Agent,
  type Avatar,
  agentsContract,
  catalogContract,
  languageModelsContract,
  modelProvidersContract,
  phoneNumbersContract,
  type RoutedVoice,
} from '@parlance/contracts'
import { agents } from '@parlance/service-agents'
import { createMemoryTtlStore, type Database, openPostgresDatabase } from '@parlance/store'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import { fakeHandlers, patientClient, standInVoice, startPostgresServer } from '@parlance/testing'
import pg from 'pg'

export type AgentsClient = Client<typeof agentsContract>

export const ada: RoutedVoice = { ...standInVoice, languages: ['en-GB', 'fr'] }

export const mira: Avatar = {
  id: randomUUID(),
  display_name: 'Mira',
  status: 'available',
  thumbnail_url: '/assets/mira.png',
  license: 'CC0-1.0',
  asset: {
    url: `/assets/avatars/${'0'.repeat(64)}.glb`,
    format: 'glb',
    content_type: 'model/gltf-binary',
    size_bytes: 1000,
    sha256: '0'.repeat(64),
  },
  viseme_set: 'oculus15',
  viseme_morph_targets: {},
  expression_morph_targets: {},
}

let slugs = 0

/** A configuration that can be published, with a slug of its own. */
export const config = <Fields extends object>(fields: Fields = {} as Fields) => ({
  slug: `agent-${++slugs}`,
  display_name: 'Front desk',
  voice_id: ada.id,
  llm_provider: 'builtin',
  llm_model: 'rules',
  ...fields,
})

/** Calls for the Agents of a workspace of their own. `client` is called with each call, since the service starts later. */
export const callsOfOneWorkspace = (client: () => AgentsClient) => {
  const workspace_id = randomUUID()
  const at = ({ id }: Agent) => ({ workspace_id, agent_id: id })
  return {
    at,
    create: (fields: object = {}): Promise<Agent> => client().createAgent({ workspace_id, config: config(fields) }),
    read: (agent: Agent) => client().getAgent(at(agent)),
    // biome-ignore lint/suspicious/noExplicitAny: the tests know what may be sent
    patch: (agent: Agent, patch: any) => client().updateAgent({ ...at(agent), patch }),
    publish: (agent: Agent, fields: object = {}) => client().publishAgent({ ...at(agent), ...fields }),
  }
}

/** Agents on a bus and a Postgres of its own, beside a catalog that knows one voice and one avatar. */
export const startInstallation = async ({
  wrap = (database: Database) => database,
  environment = {} as Readonly<Record<string, string>>,
  models = {} as Partial<Handlers<typeof languageModelsContract>>,
} = {}) => {
  const postgres = await startPostgresServer()
  const bus = createInProcessBus()
  const telemetry = {
    logger: createLogger({ name: 'agents', level: 'silent' }),
    metrics: createMetrics(),
    tracing: noTracing,
  }
  const databases: Database[] = []
  const running = await agents.start(
    {
      instanceId: randomUUID(),
      bus,
      ttl: createMemoryTtlStore(),
      ...telemetry,
      openSharedStore: async () => undefined,
      readSecret: () => '',
      async openDatabase(schema) {
        const database = await openPostgresDatabase({ url: postgres.url, ...schema })
        databases.push(database)
        return wrap(database)
      },
    },
    agents.env.parse(environment),
  )

  const catalogHandlers = fakeHandlers(catalogContract, {
    listVoices: () => ({ voices: [ada], next_cursor: null }),
    listAvatars: () => ({ avatars: [mira], next_cursor: null }),
    findVoice: ({ voice }, { fail }) =>
      voice === ada.id || voice.toLowerCase() === 'ada' ? ada : fail('voice_not_found', 'There is no such voice.'),
    listEngines: () => ({ engines: [] }),
    findAvatar: ({ avatar_id }, { fail }) =>
      avatar_id === mira.id ? mira : fail('avatar_not_found', 'There is no such avatar.'),
  })
  let beforeFindVoice = async (): Promise<void> => {}
  const startCatalog = () =>
    serve(
      bus,
      catalogContract,
      {
        ...catalogHandlers,
        async findVoice(request, context) {
          await beforeFindVoice()
          return catalogHandlers.findVoice(request, context)
        },
      },
      { instanceId: randomUUID() },
    )
  let catalog: ServedContract | undefined = await startCatalog()
  const modelHandlers = fakeHandlers(languageModelsContract, {
    tryProvider: () => ({ ok: true, detail: '', first_text_ms: 1 }),
    listModels: () => ({ ok: true, detail: '', models: ['large'] }),
    findServers: () => ({ found: [], configured: [] }),
  })
  await serve(bus, languageModelsContract, { ...modelHandlers, ...models }, { instanceId: randomUUID() })

  return {
    bus,
    client: patientClient(createClient(bus, agentsContract)),
    providers: patientClient(createClient(bus, modelProvidersContract)),
    phoneNumbers: patientClient(createClient(bus, phoneNumbersContract)),

    /** The service's own connection, for what no method of it does. */
    get database(): Database {
      return databases[0]!
    },

    /** For tests of rules that apply even to a superuser. */
    async asSuperuser(sql: string): Promise<void> {
      const connection = new pg.Client({ connectionString: postgres.url, options: '-c search_path=agents' })
      await connection.connect()
      await connection.query(sql).finally(() => connection.end())
    },

    /** Runs `work` while no catalog answers. */
    async withoutCatalog(work: () => Promise<void>): Promise<void> {
      await catalog?.stop()
      catalog = undefined
      await work().finally(async () => {
        catalog = await startCatalog()
      })
    },

    /** While `work` runs, the catalog calls a function before it replies about a voice. */
    async whileCatalogAnswers<Result>(first: () => Promise<void>, work: () => Promise<Result>): Promise<Result> {
      beforeFindVoice = first
      return work().finally(() => {
        beforeFindVoice = async () => {}
      })
    },

    async stop(): Promise<void> {
      await catalog?.stop()
      await running.stop()
      await bus.close()
      await postgres.stop()
    },
  }
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>
