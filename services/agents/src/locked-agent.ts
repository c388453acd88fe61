import { addToAuditLog, addToWebhooks } from '@parlance/clients/outbox'
import {
  type Agent,
  type AgentConfig,
  type AuditEvent,
  type Publication,
  type Revision,
  ServiceError,
  type WebhookEvent,
} from '@parlance/contracts'
import type { Queryable } from '@parlance/store'
import { activePublication, readAgent, storedConfig, toAgent, toConfig } from './agent-row.js'
import { deleteFiles } from './knowledge/knowledge-repository.js'
import { assertHeadersKnown, insertHeaders, type SealedHeader } from './sealed-headers.js'

/**
 * An Agent that is locked until the transaction ends. Each of its methods may be called once. Their changes are committed
 * together or not at all.
 */
export interface LockedAgent {
  readonly agent: Agent
  /** The configuration of the draft. */
  readonly config: AgentConfig
  /** For other changes in the same transaction. */
  readonly transaction: Queryable
  /** Replaces the draft with `config`, which has ids of `headers`. Throws `slug_taken`. */
  revise(config: AgentConfig, headers: readonly SealedHeader[]): Promise<Agent>
  publish(revision: Revision): Promise<Publication>
  delete(): Promise<void>
  /** Adds an action to the audit log. */
  audit(event: AuditEvent): Promise<void>
  /** Sends an event to the webhooks of the workspace. */
  announce(event: WebhookEvent): Promise<void>
}

export const slugTaken = (slug: string): ServiceError =>
  new ServiceError('slug_taken', `Another Agent of this workspace has the slug "${slug}".`)

/** Whether a statement failed because its slug is taken. Two Agents that swap slugs at the same time get a deadlock. */
const concernsSlug = (error: unknown): boolean => {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return constraint === 'agents_live_slug' || code === '40P01'
}

/** Resolves to undefined when there is no such Agent. */
export const lockAgent = async (
  transaction: Queryable,
  workspaceId: string,
  agentId: string,
): Promise<LockedAgent | undefined> => {
  // Locked first and read after, because a statement that waited for a lock sees the other tables as they were before.
  await transaction.query('select from agents where workspace_id = $1 and id = $2 for no key update', [
    workspaceId,
    agentId,
  ])
  const row = await readAgent(transaction, workspaceId, agentId)
  if (row === undefined) return undefined

  return {
    agent: toAgent(row),
    config: toConfig(row.config),
    transaction,

    async revise(config, headers) {
      await insertHeaders(transaction, workspaceId, agentId, headers)
      await assertHeadersKnown(transaction, workspaceId, agentId, config.tools)
      const { json, bytes, slug, searchText } = storedConfig(config)
      await transaction
        .query(
          `with revision as (
             insert into revisions (workspace_id, agent_id, version, config, config_bytes)
             values ($1, $2, $3, $4, $5)
           )
           update agents set draft_version = $3, slug = $6, search_text = $7, updated_at = clock_timestamp()
           where workspace_id = $1 and id = $2`,
          [workspaceId, agentId, row.draft_version + 1, json, bytes, slug, searchText],
        )
        .catch((error: unknown) => {
          throw concernsSlug(error) ? slugTaken(slug) : error
        })
      return toAgent((await readAgent(transaction, workspaceId, agentId))!)
    },

    async publish({ id, config }) {
      await transaction.query(
        `with publication as (
           insert into publications
             (workspace_id, agent_id, version, revision_id, memory_enabled, calendar_enabled, api_ready)
           values ($1, $2, $3, $4, $5, $6, $7)
         )
         update agents set publication_version = $3, updated_at = clock_timestamp()
         where workspace_id = $1 and id = $2`,
        [
          workspaceId,
          agentId,
          (row.publication_version ?? 0) + 1,
          id,
          config.memory_enabled,
          config.calendar_enabled,
          config.voice_config.tts_variant !== null,
        ],
      )
      return activePublication((await readAgent(transaction, workspaceId, agentId))!)!
    },

    audit: (event) => addToAuditLog(transaction, workspaceId, event),

    announce: (event) => addToWebhooks(transaction, workspaceId, event),

    async delete() {
      await transaction.query('update agents set deleted_at = now() where workspace_id = $1 and id = $2', [
        workspaceId,
        agentId,
      ])
      await transaction.query('delete from sealed_headers where workspace_id = $1 and agent_id = $2', [
        workspaceId,
        agentId,
      ])
      await deleteFiles(transaction, workspaceId, agentId)
    },
  }
}
