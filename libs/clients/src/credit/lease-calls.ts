import type { CallContext, Client } from '@parlance/bus'
import { type creditContract, ServiceError, toServiceError } from '@parlance/contracts'
import { printCredit } from './credit-amount.js'
import { mostReservedNano } from './credit-limits.js'

/** `passed`: somebody else's call was waited for, which may have brought enough for this one too. */
export type LeaseAnswer = 'leased' | 'insufficient' | 'passed'

interface LeaseCall {
  amountNano: bigint
  sent: boolean
}

/**
 * Asks for leases, in one call at a time for each workspace: those who ask in the same turn share a call for all they
 * need together, those who come while it runs wait and look again. Rejects with `unavailable`.
 */
export const createLeaseCalls = (credit: Pick<Client<typeof creditContract>, 'lease'>) => {
  const calls = new Map<string, { call: LeaseCall; answer: Promise<'leased' | 'insufficient'> }>()

  const send = async (workspaceId: string, call: LeaseCall, context: CallContext | undefined) => {
    // Whoever is short in this turn joins.
    await null
    call.sent = true
    const amountNano = call.amountNano < mostReservedNano ? call.amountNano : mostReservedNano
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
        return 'passed'
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
