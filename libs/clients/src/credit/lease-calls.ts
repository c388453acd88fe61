import type { CallContext, Client } from '@parlance/bus'
import { type creditContract, ServiceError, toServiceError } from '@parlance/contracts'
import { maxReservedNano, printCredit } from './credit-amount.js'

/** `waited`: meanwhile another caller's request has completed, which may have leased enough for this caller too. */
type LeaseAnswer = 'leased' | 'insufficient' | 'waited'

interface LeaseCall {
  amountNano: bigint
  sent: boolean
}

/**
 * Requests leases, one call at a time for each workspace. Callers of one microtask checkpoint share a call for the sum of their
 * amounts; callers that arrive while a call runs wait for it and then read the counter again. Rejects with `unavailable`.
 */
export const createLeaseCalls = (credit: Pick<Client<typeof creditContract>, 'lease'>) => {
  const calls = new Map<string, { call: LeaseCall; answer: Promise<'leased' | 'insufficient'> }>()

  const send = async (workspaceId: string, call: LeaseCall, context: CallContext | undefined) => {
    // Callers that run before the next microtask join.
    await null
    call.sent = true
    const amountNano = call.amountNano < maxReservedNano ? call.amountNano : maxReservedNano
    const request = { workspace_id: workspaceId, amount: printCredit(amountNano) }
    try {
      await credit.lease(request, context && { context })
      return 'leased'
    } catch (thrown) {
      const error = toServiceError(thrown)
      if (error.code === 'insufficient_credit') return 'insufficient'
      throw new ServiceError('unavailable', 'Credit cannot be reserved now. Try again.', { cause: error })
    } finally {
      calls.delete(workspaceId)
    }
  }

  return {
    async ask(workspaceId: string, amountNano: bigint, context?: CallContext): Promise<LeaseAnswer> {
      const running = calls.get(workspaceId)
      if (running?.call.sent) {
        await running.answer
        return 'waited'
      }
      if (running !== undefined) {
        running.call.amountNano += amountNano
        return running.answer
      }
      const call = { amountNano, sent: false }
      const answer = send(workspaceId, call, context)
      calls.set(workspaceId, { call, answer })
      return answer
    },
  }
}
