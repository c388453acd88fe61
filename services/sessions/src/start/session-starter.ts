import { createClient } from '@parlance/bus'
import { createCreditReserver } from '@parlance/clients/credit'
import { createModelKeys } from '@parlance/clients/model-keys'
import { createUnconnectedStarts } from '@parlance/clients/session-registry'
import { createSpeechBilling, createSynthesize, createVoicePrices } from '@parlance/clients/speech'
import {
  agentsContract,
  calendarContract,
  catalogContract,
  creditContract,
  knowledgeContract,
  memoryContract,
  modelProvidersContract,
  tokensContract,
  ttsContract,
} from '@parlance/contracts'
import { createEgressGuard } from '@parlance/egress'
import type { Platform } from '@parlance/runtime'
import type { SessionsEnv } from '../env.js'
import { createMemoryExtractions } from '../memory/memory-extractions.js'
import {
  createSettleLateUsage,
  type SettleLateUsage,
  type SettleLateUsageOptions,
} from '../records/settle-late-usage.js'
import { createReadAppointments } from '../tools/calendar/appointments.js'
import { createOpenCalendarTools } from '../tools/calendar/calendar-tools.js'
import { createOpenMcpTools } from '../tools/mcp-tools.js'
import type { OpenTools } from '../tools/tool.js'
import { createTryTool, type TryTool } from '../tools/try-tool.js'
import { createWebSearch } from '../tools/web-search/web-search.js'
import { createWebhookTools } from '../tools/webhook-tools.js'
import { createFetchBackground } from './background.js'
import { createOpenKnowledge } from './find-knowledge.js'
import { createStartSession, type StartSession, type StartSessionOptions } from './start-session.js'

export interface SessionStarter {
  readonly startSession: StartSession
  readonly settleLateUsage: SettleLateUsage
  readonly tryTool: TryTool
  /** Resolves when the memories of ended conversations are extracted, or after this time. Never rejects. */
  finishExtractions(withinMs: number): Promise<void>
  /** To be called when all conversations have ended. Resolves when their bills are closed. */
  close(): Promise<void>
}

export interface SessionStarterOptions
  extends Pick<StartSessionOptions, 'parts' | 'recordings' | 'registry' | 'iceServersFor'> {
  readonly sessions: StartSessionOptions['sessions'] & SettleLateUsageOptions['sessions']
}

/** Connects the start of conversations to the other services and to the tools of this installation. */
export const createSessionStarter = (
  platform: Pick<Platform, 'bus' | 'ttl' | 'logger' | 'metrics' | 'tracing' | 'instanceId' | 'readSecret'>,
  settings: SessionsEnv,
  options: SessionStarterOptions,
): SessionStarter => {
  const { bus, ttl, logger, metrics, tracing, instanceId } = platform
  const webhookTools = createWebhookTools(settings, platform)
  const webSearch = createWebSearch(settings, platform)
  const catalog = createClient(bus, catalogContract)
  const calendar = createClient(bus, calendarContract)
  const memory = createClient(bus, memoryContract)
  const agents = createClient(bus, agentsContract)
  const credit = createClient(bus, creditContract)
  const reserver = createCreditReserver({ ttl, credit, logger, metrics })
  const priceOf = createVoicePrices({ catalog })
  const billing = createSpeechBilling({ priceOf, reserver })
  const kinds = [webhookTools.openTools, webSearch.openTools, createOpenCalendarTools(calendar)]
  const openTools: OpenTools = (conversation) => kinds.flatMap((open) => open(conversation))
  const settleLateUsage = createSettleLateUsage({ sessions: options.sessions, reserver, logger })
  const extractions = createMemoryExtractions({ memory, logger })

  return {
    settleLateUsage,
    tryTool: createTryTool({ openTools, logger }),
    startSession: createStartSession({
      ...options,
      settleLateUsage,
      instanceId,
      catalog,
      credit,
      reserver,
      priceOf,
      extractions,
      logger,
      metrics,
      tracing,
      unconnectedStarts: createUnconnectedStarts({ ttl }),
      fetchBackground: createFetchBackground({
        memory,
        logger,
        readAppointments: createReadAppointments({ calendar, logger }),
      }),
      openKnowledge: createOpenKnowledge(createClient(bus, knowledgeContract), logger),
      agents,
      modelProviders: createClient(bus, modelProvidersContract),
      tokens: createClient(bus, tokensContract),
      openBill: billing.openBill,
      synthesize: createSynthesize(createClient(bus, ttsContract)),
      creditPerMinute: settings.SESSION_CREDIT_PER_MINUTE,
      openTools,
      openMcpTools: createOpenMcpTools({
        agents,
        headerKeys: createModelKeys(settings.MODEL_PROVIDER_KEYS, 'headers'),
        guard: createEgressGuard({ allow: settings.OUTBOUND_ALLOW, ports: settings.OUTBOUND_PORTS }),
        logger,
      }),
      firstAudioDeadlineMs: settings.FIRST_AUDIO_DEADLINE_MS,
    }),
    finishExtractions: extractions.finish,
    async close() {
      await billing.allClosed()
      await reserver.stop()
      await Promise.all([webhookTools.close(), webSearch.close()])
    },
  }
}
