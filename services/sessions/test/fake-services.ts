import { type Bus, type HandlerContext, serve } from '@parlance/bus'
import {
  type AgentConfig,
  agentConfigSchema,
  agentsContract,
  catalogContract,
  type RoutedVoice,
  type SynthesisChunk,
  type SynthesisRequest,
  ttsContract,
} from '@parlance/contracts'
import { fakeHandlers, standInVoice } from '@parlance/testing'

export const voice: RoutedVoice = {
  ...standInVoice,
  languages: ['en-GB'],
  variants: standInVoice.variants.map((variant) => ({ ...variant, formats: ['pcm_s16le'], engine: 'fake' })),
}

/** Speaks a character in 20 ms. */
const speak = async function* (request: SynthesisRequest): AsyncGenerator<SynthesisChunk> {
  const characters = [...request.text].length
  yield { event: 'started', output: request.output, queue_ms: 0, ttfa_ms: 1 }
  for (let seq = 0; seq < characters; seq++) {
    const data = new Uint8Array(960)
    yield { event: 'audio', seq, segment: 0, start_ms: 20 * seq, duration_ms: 20, data }
  }
  yield { event: 'segment', segment: 0, characters }
  yield { event: 'done', audio_duration_ms: 20 * characters, characters_billed: characters, ttfa_ms: 1 }
}

export type AgentFields = Partial<Record<'session_config' | 'voice_config' | 'tools', object>> &
  Partial<Pick<AgentConfig, 'slug' | 'system_prompt' | 'llm_provider' | 'memory_enabled' | 'web_search_enabled'>>

/** Agents, their voice, and who speaks with it. An Agent is there once it is in `agents`, with what is not as usual. */
export const serveFakes = async (bus: Bus) => {
  const agents = new Map<string, AgentFields>()
  const configOf = (fields: AgentFields) =>
    agentConfigSchema.parse({
      slug: 'front-desk',
      display_name: 'Front desk',
      voice_id: voice.id,
      llm_provider: 'builtin',
      llm_model: 'r',
      voice_config: { tts_variant: 'standard' },
      ...fields,
    })
  const agentsHandlers = fakeHandlers(agentsContract, {
    listAgents: () => ({
      agents: [...agents].map(([id, fields]) => ({
        ...configOf(fields),
        ...{ id, state: 'published' as const, api_ready: true, active_publication: null },
        draft_revision: { id, version: 1 },
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-01T00:00:00.000Z',
      })),
      next_cursor: null,
    }),
    getPublished({ agent_id }, { fail }) {
      const fields = agents.get(agent_id)
      if (fields === undefined) return fail('agent_not_found', 'There is no such Agent.')
      const config = configOf(fields)
      const revision = { id: agent_id, version: 1 }
      const publication = {
        id: agent_id,
        version: 1,
        revision,
        memory_enabled: false,
        calendar_enabled: false,
        created_at: '2026-01-01T00:00:00.000Z',
      }
      return { publication, config }
    },
  })
  const requests: SynthesisRequest[] = []
  const catalogHandlers = fakeHandlers(catalogContract, { findVoice: () => voice })
  const served = await Promise.all([
    serve(bus, agentsContract, agentsHandlers, { instanceId: 'agents' }),
    serve(bus, catalogContract, catalogHandlers, { instanceId: 'catalog' }),
    serve(
      bus,
      ttsContract,
      {
        synthesize(request: SynthesisRequest, _context: HandlerContext) {
          requests.push(request)
          return speak(request)
        },
      },
      { instanceId: 'tts', lane: 'fake' },
    ),
  ])
  return {
    agents,
    /** What speech was asked for. */
    requests,
    async stop() {
      await Promise.all(served.map((contract) => contract.stop()))
    },
  }
}
