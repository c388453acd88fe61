import { isDeepStrictEqual } from 'node:util'
import type { Handlers } from '@parlance/bus'
import {
  type AgentConfig,
  agentRequestSchema,
  type agentsContract,
  invalidRequest,
  mergeAgentConfig,
  type Tool,
  toolSchema,
} from '@parlance/contracts'
import type { EgressGuard } from '@parlance/egress'
import { z } from 'zod'
import {
  agentNotFound,
  assertVersion,
  createPublicationHandlers,
  type Fail,
  type PublicationHandlersOptions,
} from './publication-handlers.js'
import type { PublicationRepository } from './publication-repository.js'

export interface AgentsHandlersOptions extends PublicationHandlersOptions {
  readonly publications: PublicationRepository
  readonly guard: Pick<EgressGuard, 'checkStored'>
}

interface AgentAddress {
  workspace_id: string
  agent_id: string
}

const patched = (standing: AgentConfig, patch: Record<string, unknown>): AgentConfig => {
  const config = agentRequestSchema.safeParse(mergeAgentConfig(standing, patch))
  if (!config.success) throw invalidRequest(config.error)
  return config.data
}

export const createAgentsHandlers = (options: AgentsHandlersOptions): Handlers<typeof agentsContract> => {
  const { agents, revisions, publications, guard } = options

  const checkTools = (tools: readonly Tool[]) =>
    Promise.all(
      tools.map((tool, index) =>
        tool.type === 'webhook' ? guard.checkStored(`tools.${index}.url`, tool.url) : undefined,
      ),
    )

  const assertExists = async (address: AgentAddress, fail: Fail<'agent_not_found'>): Promise<void> => {
    if (!(await agents.exists(address.workspace_id, address.agent_id))) fail('agent_not_found', agentNotFound)
  }

  return {
    ...createPublicationHandlers(options),

    async createAgent({ workspace_id, config }) {
      await checkTools(config.tools)
      return agents.create(workspace_id, config)
    },

    async getAgent({ workspace_id, agent_id }, { fail }) {
      return (await agents.find(workspace_id, agent_id)) ?? fail('agent_not_found', agentNotFound)
    },

    async listAgents({ workspace_id, slug, state, q, ...page }) {
      const { items, nextCursor } = await agents.list(workspace_id, { slug, state, q }, page)
      return { agents: items, next_cursor: nextCursor }
    },

    async updateAgent({ workspace_id, agent_id, expected_version, patch }, { fail }) {
      // Names are resolved before the Agent is locked. Other problems of tools are found below.
      const tools = z.array(toolSchema).safeParse(patch.tools)
      if (tools.success) await checkTools(tools.data)
      const updated = await agents.whileLocked(workspace_id, agent_id, async ({ agent, config, revise }) => {
        assertVersion(agent, expected_version, fail)
        const wanted = patched(config, patch)
        return isDeepStrictEqual(wanted, config) ? agent : revise(wanted)
      })
      return updated ?? fail('agent_not_found', agentNotFound)
    },

    async deleteAgent({ workspace_id, agent_id, expected_version, actor }, { fail }) {
      const deleted = await agents.whileLocked(workspace_id, agent_id, async (locked) => {
        assertVersion(locked.agent, expected_version, fail)
        await locked.delete()
        const { id, slug } = locked.agent
        await locked.audit({ action: 'agent.deleted', actor, details: { agent_id: id, slug } })
        return {}
      })
      return deleted ?? fail('agent_not_found', agentNotFound)
    },

    async listRevisions({ workspace_id, agent_id, ...page }, { fail }) {
      await assertExists({ workspace_id, agent_id }, fail)
      const { items, nextCursor } = await revisions.list(workspace_id, agent_id, page)
      return { revisions: items, next_cursor: nextCursor }
    },

    async listPublications({ workspace_id, agent_id, ...page }, { fail }) {
      await assertExists({ workspace_id, agent_id }, fail)
      const { items, nextCursor } = await publications.list(workspace_id, agent_id, page)
      return { publications: items, next_cursor: nextCursor }
    },
  }
}
