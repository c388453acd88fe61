import { randomUUID } from 'node:crypto'
import { type Bus, serve } from '@parlance/bus'
import { type AgentConfig, agentConfigSchema, agentsContract, contract, type PublishProblem } from '@parlance/contracts'

type PublishedFields = Partial<Pick<AgentConfig, 'voice_config' | 'memory_enabled' | 'calendar_enabled'>>

/** The calls of the agents service that the tokens service makes. */
const publishedContract = contract({
  ...agentsContract,
  methods: {
    getPublished: agentsContract.methods.getPublished,
    checkPublish: agentsContract.methods.checkPublish,
  },
})

/** The Agents of one workspace; null for an unpublished Agent. */
export const serveFakeAgents = async (bus: Bus, workspaceId: string) => {
  const agents = new Map<string, PublishedFields | null>()
  const unpublishable = new Map<string, PublishProblem[]>()
  const served = await serve(
    bus,
    publishedContract,
    {
      getPublished({ workspace_id, agent_id }, { fail }) {
        const fields = workspace_id === workspaceId ? agents.get(agent_id) : undefined
        if (fields === undefined) return fail('agent_not_found', 'There is no such Agent.')
        if (fields === null) return fail('agent_not_published', 'The Agent has never been published.')
        const config = agentConfigSchema.parse({
          slug: 'front-desk',
          display_name: 'Front desk',
          voice_id: '0f'.repeat(16),
          llm_provider: 'builtin',
          llm_model: 'rules',
          voice_config: { tts_variant: 'standard' },
          ...fields,
        })
        const { memory_enabled, calendar_enabled } = config
        const revision = { id: randomUUID(), version: 1 }
        const created_at = new Date().toISOString()
        const publication = { id: randomUUID(), version: 1, revision, memory_enabled, calendar_enabled, created_at }
        return { publication, config }
      },
      checkPublish({ workspace_id, agent_id }, { fail }) {
        const fields = workspace_id === workspaceId ? agents.get(agent_id) : undefined
        if (fields === undefined) return fail('agent_not_found', 'There is no such Agent.')
        const problems = unpublishable.get(agent_id) ?? []
        const api_ready = fields?.voice_config?.tts_variant !== null && problems.length === 0
        return { publishable: problems.length === 0, api_ready, problems, warnings: [] }
      },
    },
    { instanceId: randomUUID() },
  )
  return {
    add(fields: PublishedFields | null = {}): string {
      const id = randomUUID()
      agents.set(id, fields)
      return id
    },
    /** An Agent whose draft cannot be published, for this reason. */
    addUnpublishable(problem: PublishProblem): string {
      const id = this.add(null)
      unpublishable.set(id, [problem])
      return id
    },
    stop: () => served.stop(),
  }
}
