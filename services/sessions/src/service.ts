import { settlesWithin } from '@parlance/async'
import { createClient, type ServedContract, serve } from '@parlance/bus'
import { createKeyWatch } from '@parlance/clients/api-key'
import { createCreditReserver } from '@parlance/clients/credit'
import { createSessionRegistry, createUnconnectedStarts, startHeartbeat } from '@parlance/clients/session-registry'
import { createSpeechBilling, createSynthesize, createVoicePrices } from '@parlance/clients/speech'
import {
  agentsContract,
  authContract,
  calendarContract,
  catalogContract,
  creditContract,
  liveSessionsContract,
  memoryContract,
  sessionsContract,
  tokensContract,
  ttsContract,
} from '@parlance/contracts'
import { readSecretSetting, type Service } from '@parlance/runtime'
import { createFetchBackground } from './call/background.js'
import type { OpenConversationParts } from './call/conversation-parts.js'
import { createLiveHandlers } from './call/live-handlers.js'
import type { LiveSession } from './call/live-session.js'
import { startOrphanSweeper } from './call/orphan-sweeper.js'
import { createPermits } from './call/permits.js'
import { createStartSession } from './call/start-session.js'
import { env, type SessionsEnv } from './env.js'
import { iceServers } from './media/webrtc/ice-servers.js'
import { createMemoryExtractions } from './memory/memory-extractions.js'
import { createMessageRepository } from './records/message-repository.js'
import { createOrphanRepository } from './records/orphan-repository.js'
import { createRecordHandlers } from './records/record-handlers.js'
import { createSessionRepository } from './records/session-repository.js'
import { createReadAppointments } from './tools/calendar/appointments.js'
import { createOpenCalendarTools } from './tools/calendar/calendar-tools.js'
import { openToolsOf } from './tools/open-tools.js'
import { createWebSearch } from './tools/web-search/web-search.js'
import { createWebhookTools } from './tools/webhook-tools.js'

const schema = { schema: 'sessions', migrations: new URL('../migrations/', import.meta.url) }

/** How long the record of a conversation may take after the conversation had to end. */
const endWithinMs = 5_000

export const createSessionsService = (openParts: OpenConversationParts): Service<SessionsEnv> => ({
  name: 'sessions',
  needs: ['bus', 'ttl', 'database'],
  databases: [schema],
  env,

  async start(platform, settings) {
    const { bus, ttl, logger, metrics, instanceId, readSecret } = platform
    const webhookTools = createWebhookTools(settings, platform)
    const webSearch = createWebSearch(settings, platform)
    const database = await platform.openDatabase(schema)
    const parts = await openParts(platform, settings)
    const registry = createSessionRegistry(ttl)
    const sessions = createSessionRepository(database)
    const catalog = createClient(bus, catalogContract)
    const reserver = createCreditReserver({ ttl, credit: createClient(bus, creditContract), logger })
    const priceOf = createVoicePrices({ catalog })
    const billing = createSpeechBilling({ priceOf, reserver })
    const ice = {
      stunUrls: settings.STUN_URLS,
      turnUrls: settings.TURN_URLS,
      turnSecret: readSecretSetting(settings, 'TURN_SECRET', readSecret),
    }
    const iceServersFor = (name: string) => iceServers(ice, name, Date.now())
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
    const calendar = createClient(bus, calendarContract)
    const memory = createClient(bus, memoryContract)
    const extractions = createMemoryExtractions({ memory, logger })
    const startSession = createStartSession({
      instanceId,
      parts,
      catalog,
      sessions,
      registry,
      reserver,
      priceOf,
      iceServersFor,
      extractions,
      logger,
      metrics,
      unconnectedStarts: createUnconnectedStarts({ ttl }),
      fetchBackground: createFetchBackground({
        memory,
        logger,
        readAppointments: createReadAppointments({ calendar, logger }),
      }),
      agents: createClient(bus, agentsContract),
      tokens: createClient(bus, tokensContract),
      openBill: billing.openBill,
      synthesize: createSynthesize(createClient(bus, ttsContract)),
      creditPerMinute: settings.SESSION_CREDIT_PER_MINUTE,
      openTools: openToolsOf([webhookTools.openTools, webSearch.openTools, createOpenCalendarTools(calendar)]),
      firstAudioDeadlineMs: settings.FIRST_AUDIO_DEADLINE_MS,
    })
    const drainMs = settings.SESSION_DRAIN_MS
    const keyWatch = createKeyWatch({
      auth: createClient(bus, authContract),
      onFailure: (err) =>
        logger.warn({ err }, 'The keys of live conversations could not be checked; it is tried again'),
    })
    const liveHandlers = createLiveHandlers({
      permits,
      startSession,
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
        live: createClient(bus, liveSessionsContract),
        iceServersFor,
      }),
      platform,
    )

    return {
      ready: async () => bus.connected() && (await database.ready()),
      async drain() {
        const deadlineMs = performance.now() + drainMs + endWithinMs
        const drained = permits.drain()
        for (const session of liveSessions.values()) session.end('drained', drainMs)
        await settlesWithin(drained, drainMs + endWithinMs)
        await extractions.finish(Math.max(0, deadlineMs - performance.now()))
      },
      async stop() {
        await Promise.all([sweeper.stop(), keyWatch.stop()])
        await Promise.all([live.stop(), records.stop()])
        await billing.allClosed()
        await reserver.stop()
        await heartbeat.stop()
        await parts.close()
        await Promise.all([webhookTools.close(), webSearch.close()])
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
