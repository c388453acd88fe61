import type { CallOptions, Client } from '@parlance/bus'
import type { authContract, Capability, creditContract } from '@parlance/contracts'
import { checkWorkspace, tooManyRequests } from '../authentication/admission.js'
import { type LimitRate, requireRate } from '../authentication/rate-limiter.js'
import type { StreamSlots } from './stream-slots.js'

/** What every token that opens a stream was minted for. */
export interface StreamPayer {
  readonly workspace_id: string
  readonly key_id: string
}

type TokenCall<Grant> = (request: { token: string }, options: CallOptions) => Promise<Grant>

export interface StreamAdmissionOptions<Grant extends StreamPayer> {
  readonly checkToken: TokenCall<Grant>
  readonly consumeToken: TokenCall<Grant>
  readonly capability: Capability
  readonly auth: Pick<Client<typeof authContract>, 'getKeyWorkspace'>
  readonly credit: Pick<Client<typeof creditContract>, 'requireCredit'>
  readonly limitRate: LimitRate
  readonly slots: Pick<StreamSlots, 'take'>
}

/** From a token to a stream that is counted, in three steps of calls: to check, to admit, and to consume the token. */
export interface StreamAdmission<Grant extends StreamPayer> {
  /** Checks that the token can open a stream, without consuming it. Rejects with 401. */
  check(token: string, requestId: string): Promise<Grant>
  /**
   * Consumes the token of a grant; a grant by an API key has none. Resolves with the function that releases the workspace's
   * slot. Rejects with 401, 402, 403 or 429. A token that is refused with 402, 403 or 429 is not consumed.
   */
  admit(token: string | undefined, grant: Grant, requestId: string): Promise<() => void>
}

export const createStreamAdmission = <Grant extends StreamPayer>(
  options: StreamAdmissionOptions<Grant>,
): StreamAdmission<Grant> => {
  const { checkToken, consumeToken, capability, auth, credit, limitRate, slots } = options
  return {
    check: (token, requestId) => checkToken({ token }, { context: { requestId } }),

    async admit(token, { workspace_id, key_id }, requestId) {
      const context = { requestId }
      const taking = slots.take(workspace_id)
      const rating = limitRate(workspace_id)
      const paying = credit.requireCredit({ workspace_id }, { context })
      paying.catch(() => {})
      try {
        const workspace = await auth.getKeyWorkspace({ workspace_id, key_id }, { context })
        checkWorkspace({ workspace_id, ...workspace }, capability)
        requireRate(await rating, tooManyRequests)
        await paying
        const slot = await taking
        slot.check(workspace.max_concurrent_streams)
        if (token !== undefined) await consumeToken({ token }, { context })
        return slot.release
      } catch (error) {
        void taking.then(({ release }) => release())
        throw error
      }
    },
  }
}
