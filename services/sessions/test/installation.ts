import { randomUUID } from 'node:crypto'
import { type Client, createClient, createInProcessBus, type HandlerContext, type Handlers, serve } from '@parlance/bus'
import {
  agentConfigSchema,
  agentsContract,
  catalogContract,
  creditContract,
  liveSessionsContract,
  type RoutedVoice,
  ServiceError,
  type SynthesisChunk,
  type SynthesisRequest,
  sessionRequestSchema,
  sessionsContract,
  tokensContract,
  ttsContract,
} from '@parlance/contracts'
import { tokens } from '@parlance/service-tokens'
import { createMemoryTtlStore, type Database, openPostgresDatabase } from '@parlance/store'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import { startPostgresServer } from '@parlance/testing'
import type { ConversationParts } from '../src/conversation-parts.js'
import { env } from '../src/env.js'
import { createSessionsService } from '../src/service.js'
import { createFakeParts } from './fake-parts.js'

export const voice: RoutedVoice = {
  ...{ id: 'a'.repeat(32), display_name: 'Ada', description: '', languages: ['en-GB'], gender: 'female', tags: [] },
  ...{ status: 'available', preview_url: null, license: 'CC0-1.0' },
  variants: [
    {
      ...{ id: 'standard', display_name: 'Standard', sample_rates: [24000], formats: ['pcm_s16le'], streaming: true },
      ...{ alignment: ['word'], credit_per_1k_characters: '0.015', engine: 'fake' },
    },
  ],
  ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
}

/** Says a character in 20 ms. */
const speak = async function* (request: SynthesisRequest): AsyncGenerator<SynthesisChunk> {
  const characters = [...request.text].length
  yield { event: 'started', output: request.output, queue_ms: 0, ttfa_ms: 1 }
  for (let seq = 0; seq < characters; seq++) {
    const data = new Uint8Array(960)
    yield { event: 'audio', seq, segment: 0, start_ms: 20 * seq, duration_ms: 20, data }
  }
  yield { event: 'segment', segment: 0, characters }
  yield { event: 'done', audio_duration_ms: 20 * characters, characters_billed: characters, ttfa_ms: 1 }
}

export interface InstallationOptions {
  readonly wrap?: (database: Database) => Database
  readonly parts?: Partial<ConversationParts>
  readonly environment?: Record<string, string>
  /** Instances of the service; one if not given. */
  readonly instances?: number
}

type AgentFields = Partial<Record<'session_config' | 'voice_config', object>>

/**
 * The service, with conversations that say everything back, beside tokens and credit on a bus and a Postgres of its own.
 * Agents and speech are fakes.
 */
export const startInstallation = async ({ wrap = (database) => database, ...options }: InstallationOptions = {}) => {
  const postgres = await startPostgresServer()
  const bus = createInProcessBus()
  const ttl = createMemoryTtlStore()
  const databases: Database[] = []
  const platformOf = (instanceId: string) => ({
    ...{
      instanceId,
      bus,
      ttl,
      logger: createLogger({ level: 'silent' }),
      metrics: createMetrics(),
      tracing: noTracing,
    },
    openSharedStore: async () => undefined,
    readSecret: () => 'a-secret',
    async openDatabase(schema: { schema: string; migrations: URL }) {
      const database = await openPostgresDatabase({ url: postgres.url, ...schema })
      databases.push(database)
      return schema.schema === 'sessions' ? wrap(database) : database
    },
  })

  const agents = new Map<string, AgentFields>()
  const agentsHandlers = {
    getPublished({ agent_id }, { fail }) {
      const fields = agents.get(agent_id)
      if (fields === undefined) return fail('agent_not_found', 'There is no such Agent.')
      const config = agentConfigSchema.parse({
        ...{
          slug: 'front-desk',
          display_name: 'Front desk',
          voice_id: voice.id,
          llm_provider: 'builtin',
          llm_model: 'r',
        },
        ...{ voice_config: { tts_variant: 'standard' }, ...fields },
      })
      const revision = { id: agent_id, version: 1 }
      const publication = {
        ...{ id: agent_id, version: 1, revision, memory_enabled: false, calendar_enabled: false },
        created_at: '2026-01-01T00:00:00.000Z',
      }
      return { publication, config }
    },
  } as Pick<Handlers<typeof agentsContract>, 'getPublished'> as Handlers<typeof agentsContract>
  const catalogHandlers = { findVoice: () => voice } as object as Handlers<typeof catalogContract>
  const served = await Promise.all([
    serve(bus, agentsContract, agentsHandlers, { instanceId: 'agents' }),
    serve(bus, catalogContract, catalogHandlers, { instanceId: 'catalog' }),
    serve(
      bus,
      ttsContract,
      { synthesize: (request: SynthesisRequest, _context: HandlerContext) => speak(request) },
      { instanceId: 'tts', lane: 'fake' },
    ),
  ])
  const tokensEnv = tokens.env.parse({})
  const tokensRunning = await tokens.start(platformOf('tokens'), tokensEnv)
  const parts = { ...createFakeParts(), ...options.parts }
  const service = createSessionsService(async () => parts)
  const instances = await Promise.all(
    Array.from({ length: options.instances ?? 1 }, (_, index) =>
      service.start(platformOf(`sessions-${index}`), env.parse(options.environment ?? {})),
    ),
  )

  const live: Client<typeof liveSessionsContract> = createClient(bus, liveSessionsContract)
  const credit = createClient(bus, creditContract)
  const tokensClient = createClient(bus, tokensContract)

  return {
    ...{ bus, ttl, instances, live, credit, tokens: tokensClient, records: createClient(bus, sessionsContract) },

    /** The service's own connection, for what no method of it does. */
    get database(): Database {
      return databases.at(-1)!
    },

    async newWorkspace(amount = '100'): Promise<string> {
      const workspaceId = randomUUID()
      if (amount !== '0') await credit.grant({ workspace_id: workspaceId, amount, reference: 'test' })
      return workspaceId
    },

    newAgent(fields: AgentFields = {}): string {
      const id = randomUUID()
      agents.set(id, fields)
      return id
    },

    async newToken(workspace_id: string, agent_id: string, end_user_id: string | null = null) {
      const minted = await tokensClient.mintSessionToken({ workspace_id, key_id: randomUUID(), agent_id, end_user_id })
      const grant = await tokensClient.checkSessionToken({ token: minted.token, agent_id })
      return { token: minted.token, grant }
    },

    /** Starts one over a WebSocket, as the gateway asks for it. */
    async start(workspaceId: string, agentId: string, request: object = {}) {
      const { token, grant } = await this.newToken(workspaceId, agentId)
      const parsed = sessionRequestSchema.parse({ transport: 'websocket', ...request })
      return live.startSession({ grant, token, request: parsed })
    },

    async stop(): Promise<void> {
      await Promise.all(instances.map((instance) => instance.stop()))
      await tokensRunning.stop()
      await Promise.all(served.map((contract) => contract.stop()))
      await bus.close()
      await ttl.close()
      await postgres.stop()
    },
  }
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>

export const isServiceError = (error: unknown): error is ServiceError => error instanceof ServiceError
