import { type Bus, createClient } from '@parlance/bus'
import {
  agentsContract,
  auditContract,
  authContract,
  calendarContract,
  catalogContract,
  creditContract,
  knowledgeContract,
  liveSessionsContract,
  memoryContract,
  modelProvidersContract,
  peopleContract,
  phoneNumbersContract,
  recordingsContract,
  sessionsContract,
  tokensContract,
  transcriptionContract,
  ttsContract,
  webhooksContract,
} from '@parlance/contracts'

/** The services behind the gateway. */
export const createGatewayClients = (bus: Bus) => ({
  agents: createClient(bus, agentsContract),
  audit: createClient(bus, auditContract),
  auth: createClient(bus, authContract),
  calendar: createClient(bus, calendarContract),
  catalog: createClient(bus, catalogContract),
  credit: createClient(bus, creditContract),
  knowledge: createClient(bus, knowledgeContract),
  live: createClient(bus, liveSessionsContract),
  memory: createClient(bus, memoryContract),
  modelProviders: createClient(bus, modelProvidersContract),
  people: createClient(bus, peopleContract),
  phoneNumbers: createClient(bus, phoneNumbersContract),
  recordings: createClient(bus, recordingsContract),
  sessions: createClient(bus, sessionsContract),
  tokens: createClient(bus, tokensContract),
  transcription: createClient(bus, transcriptionContract),
  tts: createClient(bus, ttsContract),
  webhooks: createClient(bus, webhooksContract),
})

export type GatewayClients = ReturnType<typeof createGatewayClients>
