import type { Client } from '@parlance/bus'
import { type AuditEvent, type auditContract, auditEventSchema } from '@parlance/contracts'
import type { Queryable } from '@parlance/store'
import { addToOutbox, type OutboxEvent } from './outbox.js'
import { type OutboxRelay, type OutboxRelayOptions, startOutboxRelay } from './outbox-relay.js'

const destination = 'audit'

/** Adds an action to the audit log of a workspace, if the transaction commits. It appears in the log some seconds later. */
export const addToAuditLog = (transaction: Queryable, workspaceId: string, event: AuditEvent): Promise<void> =>
  addToOutbox(transaction, { workspaceId, destination, payload: event })

type AuditLog = Pick<Client<typeof auditContract>, 'recordEvents'>

const sendTo = (audit: AuditLog) => (events: readonly OutboxEvent[]) =>
  audit.recordEvents({
    events: events.map(({ id, workspaceId, createdAt, payload }) => ({
      ...{ id, workspace_id: workspaceId, at: createdAt.toISOString() },
      event: auditEventSchema.parse(payload),
    })),
  })

export interface AuditRelayOptions extends Pick<OutboxRelayOptions, 'database' | 'logger'> {
  readonly audit: AuditLog
}

/** Sends the actions of a schema to the service that keeps the audit log. */
export const startAuditRelay = ({ audit, ...options }: AuditRelayOptions): OutboxRelay =>
  startOutboxRelay({ ...options, destination, send: sendTo(audit) })
