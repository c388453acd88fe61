/** The handlers that publish a revision of an Agent, check it, and read the publication. */
import type { Handlers } from '@parlance/bus'
import {
  type Agent,
  type AuditActor,
  type AuditEvent,
  type agentsContract,
  type Publication,
  printProblems,
  type Revision,
  ServiceError,
  type WebhookEvent,
} from '@parlance/contracts'
import type { AgentRepository } from './agent-repository.js'
import type { PublishCheck } from './publish-check.js'
import type { RevisionRepository } from './revision-repository.js'

/** Throws an error that the method declares. */
export type Fail<Code> = (code: Code, detail: string) => never

export const agentNotFound = 'There is no such Agent.'

/** `expected` is the version of the draft that the caller has read; null is any version. */
export const assertVersion = (
  { draft_revision }: Agent,
  expected: number | null,
  fail: Fail<'revision_conflict'>,
): void => {
  if (expected === null || draft_revision.version === expected) return
  fail('revision_conflict', `The draft is at version ${draft_revision.version}, not ${expected}. Read the Agent again.`)
}

const hasVariant = ({ config }: Revision): boolean => config.voice_config.tts_variant !== null

export interface PublicationHandlersOptions {
  readonly agents: AgentRepository
  readonly revisions: RevisionRepository
  readonly checkPublish: PublishCheck
}

interface PublishRequest {
  readonly workspace_id: string
  readonly agent_id: string
  readonly expected_version: number | null
  readonly revision_id: string | null
}

/** `before` is the Agent before the publication. */
const publishedEvent = (before: Agent, { version, revision }: Publication, actor: AuditActor): AuditEvent => {
  const current = before.active_publication?.revision.version ?? 0
  return {
    action: revision.version < current ? 'agent.rolled_back' : 'agent.published',
    actor,
    details: { agent_id: before.id, slug: before.slug, publication: version, revision: revision.version },
  }
}

const announcedEvent = ({ id, slug }: Agent, publication: Publication): WebhookEvent => ({
  type: 'agent.published',
  data: {
    agent_id: id,
    slug,
    publication: { id: publication.id, version: publication.version },
    revision: publication.revision,
  },
})

export const createPublicationHandlers = (
  options: PublicationHandlersOptions,
): Pick<Handlers<typeof agentsContract>, 'publishAgent' | 'checkPublish' | 'getPublished' | 'findPublic'> => {
  const { agents, revisions, checkPublish } = options

  /** The Agent, and its revision that is to be published. */
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
    async publishAgent(request, { fail, context, signal }) {
      while (!signal.aborted) {
        const { agent, revision } = await findTarget(request, fail)
        const isActive = (publication: Agent['active_publication']) => publication?.revision.id === revision.id
        const api_ready = hasVariant(revision)
        if (isActive(agent.active_publication)) {
          return { publication: agent.active_publication!, created: false, api_ready }
        }

        // The check runs without the lock, so that a slow catalog does not occupy a database connection.
        const { problems } = await checkPublish(request.workspace_id, request.agent_id, revision.config, context)
        if (problems.length > 0) fail('agent_not_publishable', printProblems(problems))
        const outcome = await agents.whileLocked(request.workspace_id, request.agent_id, async (locked) => {
          const { draft_revision, active_publication: current } = locked.agent
          if (draft_revision.version !== agent.draft_revision.version) return 'draft changed'
          if (isActive(current)) return { publication: current!, created: false, api_ready }
          const publication = await locked.publish(revision)
          await locked.audit(publishedEvent(locked.agent, publication, request.actor))
          await locked.announce(announcedEvent(locked.agent, publication))
          return { publication, created: true, api_ready }
        })
        if (outcome === undefined) return fail('agent_not_found', agentNotFound)
        // The draft changed during the check. Publishing the old one could undo a publication of the new one, so start again.
        if (outcome !== 'draft changed') return outcome
      }
      throw new ServiceError('upstream_timeout', 'The draft kept changing while it was published. Try again.')
    },

    async checkPublish(request, { fail, context }) {
      const { revision } = await findTarget(request, fail)
      const { problems, warnings } = await checkPublish(
        request.workspace_id,
        request.agent_id,
        revision.config,
        context,
      )
      const publishable = problems.length === 0
      return { publishable, api_ready: publishable && hasVariant(revision), problems, warnings }
    },

    async getPublished({ workspace_id, agent_id }, { fail }) {
      const found = await agents.findPublished(workspace_id, agent_id)
      if (found === undefined) return fail('agent_not_found', agentNotFound)
      return found ?? fail('agent_not_published', 'The Agent has never been published.')
    },

    async findPublic({ agent_id }, { fail }) {
      const found = await agents.findPublishedAnywhere(agent_id)
      if (!found?.config.session_config.public.enabled) return fail('agent_not_found', 'There is no such public Agent.')
      return { workspace_id: found.workspaceId, public: found.config.session_config.public }
    },
  }
}
