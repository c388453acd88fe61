// @ts-check

/** The language of the Agent: the built-in language model and the greeting below are in English. */
const language = 'en'

/** @param {{ error?: { detail: string } }} answer */
const refused = (answer) => new Error(`Parlance refused: ${answer.error?.detail}`)

/**
 * Finds the Agent with a slug. Creates and publishes one when there is none.
 *
 * @param {import('./parlance.mjs').Parlance} parlance
 * @param {string} slug
 */
export const findAgent = async (parlance, slug) => {
  const found = await parlance.GET('/v1/agents', { params: { query: { slug } } })
  if (!found.data) throw refused(found)
  return found.data.agents[0] ?? createAgent(parlance, slug)
}

/**
 * @param {import('./parlance.mjs').Parlance} parlance
 * @param {string} slug
 */
const createAgent = async (parlance, slug) => {
  const [voices, avatars] = await Promise.all([
    parlance.GET('/v1/voices', { params: { query: { language } } }),
    parlance.GET('/v1/avatars'),
  ])
  // The list begins with the best voice.
  const voice = voices.data?.voices.find(({ status }) => status === 'available')
  const variant = voice?.variants.find(({ streaming }) => streaming)
  if (!voice || !variant) throw new Error(`Parlance offers no voice that speaks ${language}.`)
  const created = await parlance.POST('/v1/agents', {
    body: {
      slug,
      display_name: 'Guide',
      voice_id: voice.id,
      voice_config: { tts_variant: variant.id, language },
      stt_config: { language },
      avatar_id: avatars.data?.avatars[0]?.id ?? null,
      llm_provider: 'builtin',
      llm_model: 'rules',
      first_message: 'Hello! Ask me anything, or just say hi.',
    },
  })
  if (!created.data) throw refused(created)
  const published = await parlance.POST('/v1/agents/{agentId}/publish', {
    params: { path: { agentId: created.data.id } },
  })
  if (!published.data) throw refused(published)
  return created.data
}
