import { creditContract } from '@parlance/contracts'
import { fakeHandlers } from '@parlance/testing'

/** A ledger for the routes that read it. Its requests are in `requests`, by method. */
export const createFakeCredit = () => {
  const requests: Partial<Record<keyof typeof creditContract.methods, unknown>> = {}
  const handlers = fakeHandlers(creditContract, {
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
  })
  return { requests, handlers }
}
