import { isDeepStrictEqual } from 'node:util'
import type { Handlers } from '@parlance/bus'
import {
  type Agent,
  type AgentConfig,
  agentRequestSchema,
  type agentsContract,
  invalidRequest,
  mergeAgentConfig,
  type Revision,
  ServiceError,
} from '@parlance/contracts'
import type { AgentRepository } from './agent-repository.js'
import type { PublicationRepository } from './publication-repository.js'
import type { PublishCheck } from './publish-check.js'
import type { RevisionRepository } from './revision-repository.js'

export interface AgentsHandlersOptions {
  agents: AgentRepository
  revisions: RevisionRepository
  publications: PublicationRepository
  checkPublish: PublishCheck
}

interface AgentAddress {
  workspace_id: string
  agent_id: string
}

interface PublishRequest extends AgentAddress {
  expected_version: number | null
  revision_id: string | null
}

type Fail<Code> = (code: Code, detail: string) => never

const agentNotFound = 'There is no such Agent.'

const assertVersion = ({ draft_revision }: Agent, expected: number | null, fail: Fail<'revision_conflict'>): void => {
  if (expected === null || draft_revision.version === expected) return
  fail('revision_conflict', `The draft is at version ${draft_revision.version}, not ${expected}. Read the Agent again.`)
}

/** Postgres cannot search for a text with U+0000. */
const assertSearchable = (field: string, text: string | undefined): void => {
  if (text?.includes('\0')) throw new ServiceError('invalid_request', `${field}: must not contain the character U+0000`)
}

const patched = (standing: AgentConfig, patch: Record<string, unknown>): AgentConfig => {
  const config = agentRequestSchema.safeParse(mergeAgentConfig(standing, patch))
  if (!config.success) throw invalidRequest(config.error)
  return config.data
}

export const createAgentsHandlers = (options: AgentsHandlersOptions): Handlers<typeof agentsContract> => {
  const { agents, revisions, publications, checkPublish } = options

  const assertExists = async (address: AgentAddress, fail: Fail<'agent_not_found'>): Promise<void> => {
    if (!(await agents.exists(address.workspace_id, address.agent_id))) fail('agent_not_found', agentNotFound)
  }

  /** The Agent, and the revision of it that is to be published. */
  const findTarget = async (
    { workspace_id, agent_id, expected_version, revision_id }: PublishRequest,
    fail: Fail<'agent_not_found' | 'revision_conflict' | 'not_found'>,
  ): Promise<{ agent: Agent; revision: Revision }> => {
    const agent = (await agents.find(workspace_id, agent_id)) ?? fail('agent_not_found', agentNotFound)
    assertVersion(agent, expected_version, fail)
    const revision = await revisions.find(workspace_id, agent_id, revision_id ?? agent.draft_revision.id)
    return { agent, revision: revision ?? fail('not_found', 'The Agent has no such revision.') }
  }

  return {
    createAgent: ({ workspace_id, config }) => agents.create(workspace_id, config),

    async getAgent({ workspace_id, agent_id }, { fail }) {
      return (await agents.find(workspace_id, agent_id)) ?? fail('agent_not_found', agentNotFound)
    },

    async listAgents({ workspace_id, slug, state, q, ...page }) {
      assertSearchable('slug', slug)
      assertSearchable('q', q)
      const { items, nextCursor } = await agents.list(workspace_id, { slug, state, q }, page)
      return { agents: items, next_cursor: nextCursor }
    },

    async updateAgent({ workspace_id, agent_id, expected_version, patch }, { fail }) {
      const updated = await agents.whileLocked(workspace_id, agent_id, async ({ agent, config, revise }) => {
        assertVersion(agent, expected_version, fail)
        const wanted = patched(config, patch)
        return isDeepStrictEqual(wanted, config) ? agent : revise(wanted)
      })
      return updated ?? fail('agent_not_found', agentNotFound)
    },

    async deleteAgent({ workspace_id, agent_id, expected_version }, { fail }) {
      const deleted = await agents.whileLocked(workspace_id, agent_id, async (locked) => {
        assertVersion(locked.agent, expected_version, fail)
        await locked.delete()
        return {}
      })
      return deleted ?? fail('agent_not_found', agentNotFound)
    },

    async publishAgent(request, { fail, context, signal }) {
      while (!signal.aborted) {
        const { agent, revision } = await findTarget(request, fail)
        const isStanding = (publication: Agent['active_publication']) => publication?.revision.id === revision.id
        if (isStanding(agent.active_publication)) return { publication: agent.active_publication!, created: false }

        // The check runs without the lock, so that a slow catalog does not occupy a database connection.
        const { problems } = await checkPublish(revision.config, context)
        if (problems.length > 0) {
          fail('agent_not_publishable', problems.map(({ field, detail }) => `${field}: ${detail}`).join(' '))
        }
        const outcome = await agents.whileLocked(request.workspace_id, request.agent_id, async (locked) => {
          const { draft_revision, active_publication: standing } = locked.agent
          if (draft_revision.version !== agent.draft_revision.version) return 'draft changed'
          if (isStanding(standing)) return { publication: standing!, created: false }
          return { publication: await locked.publish(revision), created: true }
        })
        if (outcome === undefined) return fail('agent_not_found', agentNotFound)
        // The draft changed during the check. To publish the old one could undo a publication of the new one, so start again.
        if (outcome !== 'draft changed') return outcome
      }
      throw new ServiceError('upstream_timeout', 'The draft kept changing while it was published. Try again.')
    },

    async checkPublish(request, { fail, context }) {
      const { revision } = await findTarget(request, fail)
      const { problems, warnings } = await checkPublish(revision.config, context)
      const publishable = problems.length === 0
      const api_ready = publishable && revision.config.voice_config.tts_variant !== null
      return { publishable, api_ready, problems, warnings }
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

    async getPublished({ workspace_id, agent_id }, { fail }) {
      const found = await agents.findPublished(workspace_id, agent_id)
      if (found === undefined) return fail('agent_not_found', agentNotFound)
      const { publication, config } = found
      return publication === null
        ? fail('agent_not_published', 'The Agent was never published.')
        : { publication, config }
    },
  }
}
