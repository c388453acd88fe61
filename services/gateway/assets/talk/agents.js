import { ApiError, call, findVoice, listAll } from './api.js'

/** Those that can be talked with: published, with a TTS variant chosen. */
export const listAgents = async (key) => (await listAll(key, '/v1/agents', 'agents')).filter((agent) => agent.api_ready)

/** What the built-in language model speaks, with the accent of this person where they speak it too. */
const languages = () => [...navigator.languages.filter((tag) => /^en-/i.test(tag)), 'en']

/** An Agent that needs no account anywhere, published. */
export const makeFirstAgent = async (key) => {
  const voice = await findVoice(key, languages())
  if (voice === undefined) {
    throw new ApiError({
      code: 'no_voice',
      detail: 'No voice here speaks English, which the built-in language model does. Is a speech engine running?',
    })
  }
  const agent = await call(key, '/v1/agents', {
    method: 'POST',
    body: {
      slug: `first-agent-${crypto.randomUUID().slice(0, 8)}`,
      display_name: 'First Agent',
      voice_id: voice.id,
      voice_config: { tts_variant: voice.variants[0].id, language: 'en' },
      stt_config: { language: 'en' },
      llm_provider: 'builtin',
      llm_model: 'rules',
      first_message: 'Hello! What can I do for you?',
    },
  })
  await call(key, `/v1/agents/${agent.id}/publish`, { method: 'POST' })
  return agent
}

export const mintSessionToken = async (key, agentId) =>
  (await call(key, `/v1/agents/${agentId}/session-tokens`, { method: 'POST', body: {} })).token

/** What was kept of a conversation that is over. */
export const readSession = (key, sessionId) => call(key, `/v1/agent-sessions/${sessionId}`)
