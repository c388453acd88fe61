import { type Agent, agentConfigSchema, agentsContract, type Publication } from '@parlance/contracts'
import { fakeHandlers } from '@parlance/testing'

export const agentId = '8c0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'
const at = '2026-01-31T09:30:00.000Z'

export const agentConfig = {
  slug: 'front-desk',
  display_name: 'Front desk',
  voice_id: '0f'.repeat(16),
  llm_provider: 'builtin',
  llm_model: 'rules',
}

export const publication: Publication = {
  id: '9d0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
  version: 1,
  revision: { id: 'ad0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d', version: 3 },
  memory_enabled: false,
  calendar_enabled: false,
  created_at: at,
}

const agent: Agent = {
  ...agentConfigSchema.parse(agentConfig),
  id: agentId,
  state: 'published',
  api_ready: false,
  draft_revision: publication.revision,
  active_publication: publication,
  created_at: at,
  updated_at: at,
}

/** The agents service with one Agent, whose draft is at version 3. Its requests are in `requests`, by method. */
export const createFakeAgents = () => {
  const requests: Partial<Record<keyof typeof agentsContract.methods, unknown>> = {}
  let published = false
  const known = (request: { agent_id: string }, fail: (code: 'agent_not_found', detail: string) => never) => {
    if (request.agent_id !== agentId) fail('agent_not_found', 'There is no such Agent.')
  }
  const matching = (
    { expected_version: expected }: { expected_version: number | null },
    fail: (code: 'revision_conflict', detail: string) => never,
  ) => {
    if (expected !== null && expected !== 3) fail('revision_conflict', 'The draft is at version 3.')
  }

  const handlers = fakeHandlers(agentsContract, {
    createAgent(request, { fail }) {
      requests.createAgent = request
      return request.config.slug === 'taken'
        ? fail('slug_taken', 'The slug is taken.')
        : { ...agent, ...request.config }
    },
    getAgent(request, { fail }) {
      known(request, fail)
      return agent
    },
    listAgents(request) {
      requests.listAgents = request
      return { agents: [agent], next_cursor: null }
    },
    updateAgent(request, { fail }) {
      known(request, fail)
      matching(request, fail)
      requests.updateAgent = request
      return agent
    },
    deleteAgent(request, { fail }) {
      known(request, fail)
      matching(request, fail)
      requests.deleteAgent = request
      return {}
    },
    publishAgent(request, { fail }) {
      known(request, fail)
      matching(request, fail)
      requests.publishAgent = request
      const created = !published
      published = true
      return { publication, created, api_ready: false }
    },
    checkPublish(request, { fail }) {
      known(request, fail)
      return { publishable: true, api_ready: false, problems: [], warnings: [] }
    },
    listRevisions(request, { fail }) {
      known(request, fail)
      requests.listRevisions = request
      return { revisions: [], next_cursor: null }
    },
    listPublications(request, { fail }) {
      known(request, fail)
      requests.listPublications = request
      return { publications: [publication], next_cursor: null }
    },
    getPublished(request, { fail }) {
      known(request, fail)
      return { publication, config: agentConfigSchema.parse(agentConfig) }
    },
  })
  return { handlers, requests }
}
