import { availableParallelism } from 'node:os'
import { settlesWithin } from '@parlance/async'
import { createClient, type ServedContract, serve } from '@parlance/bus'
import { createKeyWatch } from '@parlance/clients/api-key'
import { startWebhookRelay } from '@parlance/clients/outbox'
import { createSessionRegistry, startHeartbeat } from '@parlance/clients/session-registry'
import {
  authContract,
  liveSessionsContract,
  sessionsContract,
  transcriptionContract,
  webhooksContract,
} from '@parlance/contracts'
import { readSecretSetting, type Service } from '@parlance/runtime'
import type { OpenConversationParts } from './call/conversation-parts.js'
import { createLiveHandlers } from './call/live-handlers.js'
import type { LiveSession } from './call/live-session.js'
import { startOrphanSweeper } from './call/orphan-sweeper.js'
import { createPermits } from './call/permits.js'
import { createSessionStarter } from './call/session-starter.js'
import { env, type SessionsEnv } from './env.js'
import { iceServers } from './media/webrtc/ice-servers.js'
import { createMessageRepository } from './records/message-repository.js'
import { createOrphanRepository } from './records/orphan-repository.js'
import { createRecordHandlers } from './records/record-handlers.js'
import { createSessionRepository } from './records/session-repository.js'
import { createTurnRepository } from './records/turn-repository.js'
import { createTranscriptions } from './transcription/transcriptions.js'

const schema = { schema: 'sessions', migrations: new URL('../migrations/', import.meta.url) }

/** How long the record of a conversation may take after the conversation had to end. */
const endWithinMs = 5_000

export const createSessionsService = (openParts: OpenConversationParts): Service<SessionsEnv> => ({
  name: 'sessions',
  needs: ['bus', 'ttl', 'database'],
  databases: [schema],
  env,
  drainMs: (settings) => settings.SESSION_DRAIN_MS,

  async start(platform, settings) {
    const { bus, ttl, logger, metrics, instanceId, readSecret } = platform
    const drainMs = settings.SESSION_DRAIN_MS
    const turnSecret = readSecretSetting(settings, 'TURN_SECRET', readSecret)
    const ice = { stunUrls: settings.STUN_URLS, turnUrls: settings.TURN_URLS, turnSecret }
    const iceServersFor = (name: string) => iceServers(ice, name, Date.now())
    const database = await platform.openDatabase(schema)
    const parts = await openParts(platform, settings)
    const registry = createSessionRegistry(ttl)
    const sessions = createSessionRepository(database)
    const starter = createSessionStarter(platform, settings, { parts, sessions, registry, iceServersFor })
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
      startSession: starter.startSession,
      keyWatch,
      liveSessions,
      drainMs,
      onCount: metrics.sessionsActive,
    })
    live = await serve(bus, liveSessionsContract, liveHandlers, platform)
    const records = await serve(
      bus,
      sessionsContract,
      createRecordHandlers({
        sessions,
        messages: createMessageRepository(database),
        turns: createTurnRepository(database),
        live: createClient(bus, liveSessionsContract),
        iceServersFor,
      }),
      platform,
    )
    const transcriptions = createTranscriptions({
      ...parts,
      limit: settings.TRANSCRIPTION_LIMIT ?? Math.max(1, availableParallelism() - 1),
      maxSeconds: settings.TRANSCRIPTION_MAX_SECONDS,
    })
    const transcribing = await serve(bus, transcriptionContract, transcriptions.handlers, platform)
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
        await starter.finishExtractions(Math.max(0, deadlineMs - performance.now()))
      },
      async stop() {
        await Promise.all([sweeper.stop(), keyWatch.stop(), transcriptions.drain(0)])
        await Promise.all([live.stop(), records.stop(), transcribing.stop()])
        await starter.close()
        await Promise.all([heartbeat.stop(), webhookRelay.stop()])
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
  const { openConversationParts } = await import('./call/conversation-parts.js')
  return openConversationParts(platform, settings)
})
