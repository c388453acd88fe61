import type { CallContext } from '@parlance/bus'
import { ServiceError, type SessionGrant, type SessionRequest } from '@parlance/contracts'
import type { Transfer } from '../tools/builtin-tools.js'
import type { CallDetails, OpenedAgent } from './compose-conversation.js'
import type { ResolveAgent } from './resolve-agent.js'
import type { SessionServices } from './session-services.js'

/** The Agents to which a conversation may be transferred. */
export interface AgentTransfer extends Pick<Transfer, 'targets'> {
  open(slug: string): Promise<OpenedAgent>
}

/** The description of the tool names all of them. */
const maxTargets = 50
/** Two Agents that transfer to each other would go on without the user. */
const maxTransfers = 10

/** Resolves to undefined for an Agent without the tool. Rejects with `unavailable` when the other Agents cannot be read. */
export const openAgentTransfer = async (
  { agents, openMcpTools }: Pick<SessionServices, 'agents' | 'openMcpTools'>,
  resolveAgent: ResolveAgent,
  call: CallDetails,
  grant: SessionGrant,
  { client }: Pick<SessionRequest, 'client'>,
  context: CallContext,
): Promise<AgentTransfer | undefined> => {
  if (!call.config.tools.some(({ type, name }) => type === 'builtin' && name === 'transfer_to_agent')) return undefined
  const { workspaceId, requestId } = call
  const page = { workspace_id: workspaceId, state: 'published', limit: maxTargets, order: 'asc' } as const
  const listed = await agents.listAgents(page, { context })
  const agentsReady = listed.agents.filter(({ api_ready }) => api_ready)
  let transfers = 0

  return {
    targets: agentsReady.map(({ slug, display_name, description }) => ({
      slug,
      description: description || display_name,
    })),
    async open(slug) {
      const agentId = agentsReady.find((ready) => ready.slug === slug)?.id
      if (agentId === undefined) throw new ServiceError('agent_not_found', 'There is no such Agent.')
      if (++transfers > maxTransfers) throw new ServiceError('invalid_request', 'There were too many transfers.')
      const { draft: _, ...published } = grant
      const agent = await resolveAgent({ ...published, agent_id: agentId }, { client, overrides: {} }, { requestId })
      const ofAgent: CallDetails = { ...call, agentId, config: agent.config, timeZone: agent.timeZone }
      return { agent, call: ofAgent, mcpTools: await openMcpTools(ofAgent) }
    },
  }
}
