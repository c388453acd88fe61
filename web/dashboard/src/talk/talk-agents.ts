import { type Api, fetchApi } from '../api/api.js'
import { allItems } from '../api/lists.js'
import type { Problem } from '../api/problem.js'
import type { components } from '../api/schema.js'
import { findVoice } from '../voices/voice-queries.js'

export type Agent = components['schemas']['Agent']

/** The Agents that can be talked with: published, with a TTS variant chosen. */
export const listTalkAgents = (api: Api): Promise<Agent[]> =>
  allItems(
    (query) => api.GET('/dashboard/api/v1/agents', { params: { query } }),
    ({ agents }) => agents.filter(({ api_ready }) => api_ready),
  )

const noVoice: Problem = {
  code: 'voice_not_found',
  detail:
    'No available voice speaks English, the language of the built-in model. Check that a speech engine is running.',
  retryable: true,
}

/**
 * The best voice with the accent of this person, or else another English voice. Throws a problem when there is no English
 * voice.
 */
const findEnglishVoice = async (api: Api) => {
  for (const language of [...navigator.languages.filter((tag) => /^en-/i.test(tag)), 'en']) {
    const voice = await findVoice(api, language)
    if (voice !== undefined) return voice
  }
  throw noVoice
}

/** Creates and publishes an Agent that needs no account anywhere. */
export const makeFirstAgent = async (api: Api): Promise<void> => {
  const voice = await findEnglishVoice(api)
  const { data: agent } = await api.POST('/dashboard/api/v1/agents', {
    params: {},
    body: {
      slug: `first-agent-${Math.random().toString(36).slice(2, 10)}`,
      display_name: 'First Agent',
      voice_id: voice.id,
      voice_config: { tts_variant: voice.variants[0]!.id, language: 'en' },
      stt_config: { language: 'en' },
      llm_provider: 'builtin',
      llm_model: 'rules',
      first_message: 'Hello! What can I do for you?',
    },
  })
  await api.POST('/dashboard/api/v1/agents/{agentId}/publish', { params: { path: { agentId: agent!.id } } })
}

const withConsent = (consents: boolean) => consents && { metadata: { recording_consent: true } }

interface TalkUser {
  readonly endUserId: string | undefined
  /** Whether the user consents to a recording. */
  readonly consents: boolean
}

/** A token that starts one conversation with the published Agent. Only Agents with memory or a calendar know their user. */
export const mintSessionToken = async (api: Api, agent: Agent, { endUserId, consents }: TalkUser): Promise<string> => {
  const { active_publication } = agent
  const isPersonal = active_publication?.memory_enabled || active_publication?.calendar_enabled
  const { data } = await api.POST('/dashboard/api/v1/agents/{agentId}/session-tokens', {
    params: { path: { agentId: agent.id } },
    body: {
      ...(isPersonal && endUserId !== undefined && { end_user_id: endUserId }),
      ...withConsent(consents),
    },
  })
  return data!.token
}

interface DraftContext {
  readonly variables: Readonly<Record<string, string>>
  /** Whether the user consents to a recording. */
  readonly consents: boolean
}

/** A token that starts one conversation of a member with the draft of an Agent, as it is saved when the conversation starts. */
export const mintDraftSessionToken = async (
  agentId: string,
  { variables, consents }: DraftContext,
): Promise<string> => {
  const { data } = await fetchApi.POST('/dashboard/api/agents/{agentId}/draft-session-tokens', {
    params: { path: { agentId } },
    body: { variables, ...withConsent(consents) },
  })
  return data!.token
}

export type SessionRecord = components['schemas']['Session']

const recordAttempts = 8
const recordDelayMs = 500

/** The record of an ended conversation. The service may learn of the end a moment after the page. */
export const readEndedSession = async (api: Api, sessionId: string, attempt = 1): Promise<SessionRecord> => {
  const { data } = await api.GET('/dashboard/api/v1/agent-sessions/{sessionId}', { params: { path: { sessionId } } })
  if (data!.ended_at !== null || attempt === recordAttempts) return data!
  await new Promise((resolve) => setTimeout(resolve, recordDelayMs))
  return readEndedSession(api, sessionId, attempt + 1)
}
