import { call, listAll, listVoices } from './api.js'

/** Those that can be talked with: published, with a TTS variant chosen. */
export const listAgents = async (key) => (await listAll(key, '/v1/agents', 'agents')).filter((agent) => agent.api_ready)

/** An Agent that needs no account anywhere, published. */
export const makeFirstAgent = async (key) => {
  const voices = await listVoices(key)
  const voice = voices.find(({ languages }) => /^en\b/.test(languages[0])) ?? voices[0]
  if (voice === undefined) throw new Error('There are no voices: no speech engine is running here.')
  const agent = await call(key, '/v1/agents', {
    method: 'POST',
    body: {
      slug: `first-agent-${crypto.randomUUID().slice(0, 8)}`,
      display_name: 'First Agent',
      voice_id: voice.id,
      voice_config: { tts_variant: voice.variants[0].id },
      llm_provider: 'builtin',
      llm_model: 'builtin',
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
