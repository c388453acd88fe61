import type { Handlers } from '@parlance/bus'
import type { auditContract } from '@parlance/contracts'
import type { AuditRepository } from './audit-repository.js'

export const createAuditHandlers = (audit: AuditRepository): Handlers<typeof auditContract> => ({
  async recordEvents({ events }) {
    await audit.add(events)
    return {}
  },

  async listEntries({ workspace_id, ...page }) {
    const { items, nextCursor } = await audit.list(workspace_id, page)
    return { entries: items, next_cursor: nextCursor }
  },
})
