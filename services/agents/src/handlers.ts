import { isDeepStrictEqual } from 'node:util'
import type { Handlers } from '@parlance/bus'
import type { ModelKeys } from '@parlance/clients/model-keys'
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
import { sealHeaders } from './sealed-headers.js'

interface AgentsHandlersOptions extends PublicationHandlersOptions {
  readonly publications: PublicationRepository
  readonly guard: Pick<EgressGuard, 'checkStored'>
  /** For the headers of MCP servers. */
  readonly headerKeys: Pick<ModelKeys, 'seal'>
}

interface AgentAddress {
  workspace_id: string
  agent_id: string
}

const patched = (current: AgentConfig, patch: Record<string, unknown>): AgentConfig => {
  const config = agentRequestSchema.safeParse(mergeAgentConfig(current, patch))
  if (!config.success) throw invalidRequest(config.error)
  return config.data
}

export const createAgentsHandlers = (options: AgentsHandlersOptions): Handlers<typeof agentsContract> => {
  const { agents, revisions, publications, guard, headerKeys } = options

  const checkTools = (tools: readonly Tool[]) =>
    Promise.all(
      tools.map((tool, index) => ('url' in tool ? guard.checkStored(`tools.${index}.url`, tool.url) : undefined)),
    )

  const assertExists = async (address: AgentAddress, fail: Fail<'agent_not_found'>): Promise<void> => {
    if (!(await agents.exists(address.workspace_id, address.agent_id))) fail('agent_not_found', agentNotFound)
  }

  return {
    ...createPublicationHandlers(options),

    async createAgent({ workspace_id, config }) {
      await checkTools(config.tools)
      const { tools, added } = await sealHeaders(headerKeys, workspace_id, config.tools)
      return agents.create(workspace_id, { ...config, tools }, added)
    },

    async getAgent({ workspace_id, agent_id }, { fail }) {
      return (await agents.find(workspace_id, agent_id)) ?? fail('agent_not_found', agentNotFound)
    },

    async listAgents({ workspace_id, slug, state, q, ...page }) {
      const { items, nextCursor } = await agents.list(workspace_id, { slug, state, q }, page)
      return { agents: items, next_cursor: nextCursor }
    },

    async updateAgent({ workspace_id, agent_id, expected_version, patch }, { fail }) {
      // Names are resolved and values sealed before the Agent is locked. Other problems of tools are found below.
      const given = z.array(toolSchema).safeParse(patch.tools)
      if (given.success) await checkTools(given.data)
      const { tools, added } = await sealHeaders(headerKeys, workspace_id, given.data ?? [])
      const updated = await agents.whileLocked(workspace_id, agent_id, async ({ agent, config, revise }) => {
        assertVersion(agent, expected_version, fail)
        const wanted = patched(config, given.success ? { ...patch, tools } : patch)
        return isDeepStrictEqual(wanted, config) ? agent : revise(wanted, added)
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

    getSealedHeaders: async ({ workspace_id, agent_id }) => ({
      headers: await agents.listHeaders(workspace_id, agent_id),
    }),

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
