import { createClient } from '@parlance/bus'
import { createCreditReserver } from '@parlance/clients/credit'
import { createModelKeys } from '@parlance/clients/model-keys'
import { createUnconnectedStarts, type SessionRegistry } from '@parlance/clients/session-registry'
import { createSpeechBilling, createSynthesize, createVoicePrices } from '@parlance/clients/speech'
import {
  agentsContract,
  calendarContract,
  catalogContract,
  creditContract,
  type IceServer,
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
import type { Recordings } from '../recording/recordings.js'
import type { SessionRepository } from '../records/session-repository.js'
import { createSettleLateUsage } from '../records/settle-late-usage.js'
import { createReadAppointments } from '../tools/calendar/appointments.js'
import { createOpenCalendarTools } from '../tools/calendar/calendar-tools.js'
import { createOpenMcpTools } from '../tools/mcp-tools.js'
import type { OpenTools } from '../tools/tool.js'
import { createTryTool } from '../tools/try-tool.js'
import { createWebSearch } from '../tools/web-search/web-search.js'
import { createWebhookTools } from '../tools/webhook-tools.js'
import { createFetchBackground, createOpenKnowledge } from './background.js'
import type { ConversationParts } from './conversation-parts.js'

interface SessionServicesOptions {
  readonly parts: ConversationParts
  readonly sessions: SessionRepository
  readonly recordings: Pick<Recordings, 'open'>
  readonly registry: SessionRegistry
  readonly iceServersFor: (name: string, ttlSeconds: number) => IceServer[]
}

export type SessionServices = ReturnType<typeof createSessionServices>

/** What conversations use: the other services, the tools of this installation, and what this process has for all of them. */
export const createSessionServices = (
  platform: Pick<Platform, 'bus' | 'ttl' | 'logger' | 'metrics' | 'tracing' | 'instanceId' | 'readSecret'>,
  settings: SessionsEnv,
  options: SessionServicesOptions,
) => {
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

  const openMcpTools = createOpenMcpTools({
    agents,
    headerKeys: createModelKeys(settings.MODEL_PROVIDER_KEYS, 'headers'),
    guard: createEgressGuard({ allow: settings.OUTBOUND_ALLOW, ports: settings.OUTBOUND_PORTS }),
    logger,
  })
  const readAppointments = createReadAppointments({ calendar, logger })

  return {
    ...options,
    agents,
    catalog,
    credit,
    extractions: createMemoryExtractions({ memory, logger }),
    fetchBackground: createFetchBackground({ memory, logger, readAppointments }),
    instanceId,
    logger,
    metrics,
    modelProviders: createClient(bus, modelProvidersContract),
    openBill: billing.openBill,
    openKnowledge: createOpenKnowledge(createClient(bus, knowledgeContract), logger),
    openMcpTools,
    openTools,
    priceOf,
    reserver,
    settings,
    settleLateUsage: createSettleLateUsage({ sessions: options.sessions, reserver, logger }),
    synthesize: createSynthesize(createClient(bus, ttsContract)),
    tokens: createClient(bus, tokensContract),
    tracing,
    tryTool: createTryTool({ openTools, openMcpTools, logger }),
    unconnectedStarts: createUnconnectedStarts({ ttl }),
    /** To be called when all conversations have ended. Resolves when their bills are closed. */
    async close() {
      await billing.allClosed()
      await reserver.stop()
      await Promise.all([webhookTools.close(), webSearch.close()])
    },
  }
}
