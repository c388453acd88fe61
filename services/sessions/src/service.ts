import { availableParallelism } from 'node:os'
import { settlesWithin } from '@parlance/async'
import { createClient, type Handlers, type ServedContract, serve } from '@parlance/bus'
import { createKeyWatch } from '@parlance/clients/api-key'
import { addToAuditLog, startAuditRelay, startWebhookRelay } from '@parlance/clients/outbox'
import { createSessionRegistry, startHeartbeat } from '@parlance/clients/session-registry'
import {
  auditContract,
  authContract,
  languageModelsContract,
  liveSessionsContract,
  recordingsContract,
  sessionsContract,
  transcriptionContract,
  webhooksContract,
} from '@parlance/contracts'
import { readSecretSetting, type Service } from '@parlance/runtime'
import type { Database } from '@parlance/store'
import { createAnalysisRepository } from './analysis/analysis-repository.js'
import { createJudgeHandler, createJudgeSession, startAnalysisRunner } from './analysis/analysis-runner.js'
import { createListenHandler } from './conversation/listen-handler.js'
import { createLiveHandlers } from './conversation/live-handlers.js'
import type { LiveSession } from './conversation/live-session.js'
import { env, type SessionsEnv } from './env.js'
import { createFindAgentModel } from './llm/provider-models.js'
import { tryModel } from './llm/try-model.js'
import { iceServers } from './media/webrtc/ice-servers.js'
import { startRecordings } from './recording/recordings.js'
import { openRecordingStorage } from './recording/storage/open-recording-storage.js'
import { createOrphanRepository, startOrphanSweeper } from './records/orphan-sweeper.js'
import { createRecordHandlers, type RecordHandlersOptions } from './records/record-handlers.js'
import { createSessionRepository } from './records/session-repository.js'
import { createTranscriptRepository } from './records/transcript-repository.js'
import type { ConversationParts, OpenConversationParts } from './start/conversation-parts.js'
import { createPermits } from './start/permits.js'
import { createSessionServices } from './start/session-services.js'
import { createStartSession } from './start/start-session.js'
import { createTranscriptions } from './transcription/transcriptions.js'

const schema = { schema: 'sessions', migrations: new URL('../migrations/', import.meta.url) }

/** How long the record of a conversation may take after its deadline. */
const endWithinMs = 5_000

const modelHandlersOf = (
  parts: Pick<ConversationParts, 'modelLists' | 'openProviderModel'>,
): Handlers<typeof languageModelsContract> => ({
  tryProvider: async ({ workspace_id, provider, model }) =>
    tryModel(await parts.openProviderModel(workspace_id, provider, model)),
  listModels: ({ workspace_id, provider }) => parts.modelLists.listProvider(workspace_id, provider),
  findServers: () => parts.modelLists.findServers(),
})

const auditIn =
  (database: Database): RecordHandlersOptions['audit'] =>
  (workspaceId, event) =>
    database.inWorkspace(workspaceId, (transaction) => addToAuditLog(transaction, workspaceId, event))

export const createSessionsService = (openParts: OpenConversationParts): Service<SessionsEnv> => ({
  name: 'sessions',
  needs: ['bus', 'ttl', 'database'],
  metrics: ['bus', 'store', 'sessions', 'reservations'],
  databases: [schema],
  env,
  drainMs: (settings) => settings.SESSION_DRAIN_MS,

  async start(platform, settings) {
    const { bus, ttl, logger, metrics, instanceId, readSecret } = platform
    const drainMs = settings.SESSION_DRAIN_MS
    const turnSecret = readSecretSetting(settings, 'TURN_SECRET', readSecret)
    const ice = { stunUrls: settings.STUN_URLS, turnUrls: settings.TURN_URLS, turnSecret }
    const iceServersFor = (name: string, ttlSeconds?: number) => iceServers(ice, name, Date.now(), ttlSeconds)
    const database = await platform.openDatabase(schema)
    const audit = auditIn(database)
    const parts = await openParts(platform, settings)
    const registry = createSessionRegistry(ttl)
    const sessions = createSessionRepository(database)
    const storage = await openRecordingStorage(settings, readSecret)
    const recordings = startRecordings({ database, sessions, storage, logger })
    const services = createSessionServices(platform, settings, { parts, sessions, recordings, registry, iceServersFor })
    const heartbeat = await startHeartbeat({
      registry,
      instanceId,
      ttl,
      onFailure: (err) => logger.warn({ err }, 'The heartbeat of this instance could not be written'),
    })
    const liveSessions = new Map<string, LiveSession>()
    const sweeper = startOrphanSweeper({
      instanceId,
      registry,
      heartbeat,
      logger,
      orphans: createOrphanRepository(database),
      liveIds: () => [...liveSessions.keys()],
    })

    let live: ServedContract | undefined
    const permits = createPermits(settings.SESSION_LIMIT, () => live?.setAvailable(permits.areAvailable()))
    const keyWatch = createKeyWatch({
      auth: createClient(bus, authContract),
      onFailure: (err) =>
        logger.warn({ err }, 'The keys of live conversations could not be checked; it is tried again'),
    })
    metrics.sessionsCapacity(settings.SESSION_LIMIT)
    const liveHandlers = createLiveHandlers({
      permits,
      startSession: createStartSession(services),
      keyWatch,
      listen: createListenHandler({ audit }),
      liveSessions,
      drainMs,
      onCount: metrics.sessionsActive,
    })
    live = await serve(bus, liveSessionsContract, liveHandlers, platform)
    const transcripts = createTranscriptRepository(database)
    const analyses = createAnalysisRepository(database)
    const judge = createJudgeSession({
      transcripts,
      findAgentModel: createFindAgentModel({ ...services, ...parts }),
      countUsage: (session, usage) => services.settleLateUsage({ ...session, usage }),
    })
    const recordHandlers = createRecordHandlers({
      sessions,
      transcripts,
      analyses,
      judge: createJudgeHandler(analyses, judge),
      tryTool: services.tryTool,
      live: createClient(bus, liveSessionsContract),
      audit,
      iceServersFor,
      onRemoved: recordings.wake,
    })
    const records = await serve(bus, sessionsContract, recordHandlers, platform)
    const recordingsServed = await serve(bus, recordingsContract, recordings.handlers, platform)
    const analysisRunner = startAnalysisRunner({ analyses, judge, logger })
    const transcriptions = createTranscriptions({
      ...parts,
      limit: settings.TRANSCRIPTION_LIMIT ?? Math.max(1, availableParallelism() - 1),
      maxSeconds: settings.TRANSCRIPTION_MAX_SECONDS,
    })
    const transcribing = await serve(bus, transcriptionContract, transcriptions.handlers, platform)
    const models = await serve(bus, languageModelsContract, modelHandlersOf(parts), platform)
    const auditRelay = startAuditRelay({ database, audit: createClient(bus, auditContract), logger })
    const webhookRelay = startWebhookRelay({ database, webhooks: createClient(bus, webhooksContract), logger })

    return {
      ready: async () => bus.connected() && (await database.ready()),
      async drain() {
        transcribing.setAvailable(false)
        const transcribed = transcriptions.drain(drainMs)
        const deadlineMs = performance.now() + drainMs + endWithinMs
        const drained = permits.drain()
        for (const session of liveSessions.values()) session.end('drained', drainMs)
        await settlesWithin(Promise.all([drained, transcribed]), drainMs + endWithinMs)
        await services.extractions.finish(Math.max(0, deadlineMs - performance.now()))
      },
      async stop() {
        await Promise.all([sweeper.stop(), keyWatch.stop(), analysisRunner.stop(), transcriptions.drain(0)])
        await Promise.all([live, records, recordingsServed, transcribing, models].map((served) => served.stop()))
        await services.close()
        await recordings.stop()
        await Promise.all([heartbeat.stop(), auditRelay.stop(), webhookRelay.stop()])
        await parts.close()
        await database.close()
      },
    }
  },
})

/**
 * Live conversations with Agents, and the records of all conversations. The modules for media and models are loaded when the
 * service starts: they are large, and a process that only reads the service's databases or environment does not need them.
 */
export const sessions = createSessionsService(async (platform, settings) => {
  const { openConversationParts } = await import('./start/conversation-parts.js')
  return openConversationParts(platform, settings)
})
