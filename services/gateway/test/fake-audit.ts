import { type AuditEntry, auditContract } from '@parlance/contracts'
import { fakeHandlers } from '@parlance/testing'

export const auditEntry: AuditEntry = {
  id: '1b0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
  action: 'api_key.created',
  actor: { kind: 'operator', id: null, name: null },
  details: { label: 'Web site' },
  created_at: '2026-01-31T09:30:00.000Z',
}

/** An audit log with one entry. `requests` are those for a list. */
export const createFakeAudit = () => {
  const requests: object[] = []
  const handlers = fakeHandlers(auditContract, {
    listEntries(request) {
      requests.push(request)
      return { entries: [auditEntry], next_cursor: null }
    },
  })
  return { handlers, requests }
}
