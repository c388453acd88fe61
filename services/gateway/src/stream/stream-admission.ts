import type { Client } from '@parlance/bus'
import type { authContract, creditContract, StreamGrant, tokensContract } from '@parlance/contracts'
import { checkStanding, rateLimited } from '../authentication/admission.js'
import type { LimitRate } from '../authentication/rate-limiter.js'
import type { StreamSlots } from './stream-slots.js'

export interface StreamAdmissionOptions {
  readonly tokens: Pick<Client<typeof tokensContract>, 'checkStreamToken' | 'consumeStreamToken'>
  readonly auth: Pick<Client<typeof authContract>, 'getKeyWorkspace'>
  readonly credit: Pick<Client<typeof creditContract>, 'requireCredit'>
  readonly limitRate: LimitRate
  readonly slots: Pick<StreamSlots, 'take'>
}

/** From a token to a stream that is counted, in three steps of calls: to check, to admit, and to consume the token. */
export interface StreamAdmission {
  /** Checks that the token can open a stream, without consuming it. Rejects with 401. */
  check(token: string, requestId: string): Promise<StreamGrant>
  /**
   * Consumes the token of a grant. Resolves with the function that releases the workspace's slot. Rejects with 401, 402,
   * 403 or 429 for errors that the client receives on the socket. A token that is refused with 402, 403 or 429 is not
   * consumed.
   */
  admit(token: string, grant: StreamGrant, requestId: string): Promise<() => void>
}

export const createStreamAdmission = (options: StreamAdmissionOptions): StreamAdmission => {
  const { tokens, auth, credit, limitRate, slots } = options
  return {
    check: (token, requestId) => tokens.checkStreamToken({ token }, { context: { requestId } }),

    async admit(token, { workspace_id, key_id }, requestId) {
      const context = { requestId }
      const taking = slots.take(workspace_id)
      const rating = limitRate(workspace_id)
      const paying = credit.requireCredit({ workspace_id }, { context })
      paying.catch(() => {})
      try {
        const workspace = await auth.getKeyWorkspace({ workspace_id, key_id }, { context })
        checkStanding({ workspace_id, ...workspace }, 'tts')
        if ((await rating)?.allowed === false) throw rateLimited()
        await paying
        const slot = await taking
        slot.check(workspace.max_concurrent_streams)
        await tokens.consumeStreamToken({ token }, { context })
        return slot.release
      } catch (error) {
        void taking.then(({ release }) => release())
        throw error
      }
    },
  }
}
