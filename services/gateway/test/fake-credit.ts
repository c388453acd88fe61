import type { Handlers } from '@parlance/bus'
import { type creditContract, ServiceError } from '@parlance/contracts'

const notPartOfThis = () => {
  throw new ServiceError('internal_error', 'The gateway does not ask for this here.')
}

/** A ledger for the routes that read it. Its requests are in `requests`, by method. */
export const createFakeCredit = () => {
  const requests: Partial<Record<keyof typeof creditContract.methods, unknown>> = {}
  const handlers: Handlers<typeof creditContract> = {
    getBalance(request) {
      requests.getBalance = request
      return { balance: '12.40', unit: 'credit', reserved: '0.10', updated_at: '2026-01-31T09:30:00.000Z' }
    },
    getUsage(request) {
      requests.getUsage = request
      const { from, to, group_by } = request
      return { from, to, group_by, usage: [{ key: null, credit_used: '1.00', operations: 2, tts_characters: 1000 }] }
    },
    grant(request) {
      requests.grant = request
      return {
        balance: '62.40',
        unit: 'credit',
        reserved: '0.10',
        updated_at: '2026-01-31T09:30:00.000Z',
        replayed: false,
      }
    },
    lease: notPartOfThis,
    resolve: notPartOfThis,
    requireCredit: () => ({}),
    reconcile: notPartOfThis,
  }
  return { requests, handlers }
}
