import type { Client } from '@parlance/bus'
import type { authContract, creditContract, StreamGrant, tokensContract } from '@parlance/contracts'
import { checkStanding, rateLimited } from '../authentication/admission.js'
import type { StreamSlots } from '../concurrency/stream-slots.js'
import type { LimitRate } from '../rate-limit/rate-limiter.js'

export interface StreamAdmissionOptions {
  readonly tokens: Pick<Client<typeof tokensContract>, 'checkStreamToken' | 'consumeStreamToken'>
  readonly auth: Pick<Client<typeof authContract>, 'getKeyWorkspace'>
  readonly credit: Pick<Client<typeof creditContract>, 'requireCredit'>
  readonly limitRate: LimitRate
  readonly slots: Pick<StreamSlots, 'take'>
}

export interface AdmittedStream {
  readonly grant: StreamGrant
  /** Gives back the workspace's slot. */
  release(): void
}

export interface StreamAdmission {
  /** Whether the token is one that can open a stream. Leaves it as it is. Rejects with 401. */
  check(token: string, requestId: string): Promise<void>
  /** Consumes the token. Rejects with 401, 402, 403 or 429 for what the client is sent on the socket. */
  admit(token: string, requestId: string): Promise<AdmittedStream>
}

export const createStreamAdmission = (options: StreamAdmissionOptions): StreamAdmission => {
  const { tokens, auth, credit, limitRate, slots } = options
  return {
    async check(token, requestId) {
      await tokens.checkStreamToken({ token }, { context: { requestId } })
    },

    async admit(token, requestId) {
      const context = { requestId }
      const grant = await tokens.consumeStreamToken({ token }, { context })
      const { workspace_id, key_id } = grant
      const workspace = await auth.getKeyWorkspace({ workspace_id, key_id }, { context })
      checkStanding({ workspace_id, ...workspace }, 'tts')
      const rate = await limitRate(workspace_id)
      if (rate?.allowed === false) throw rateLimited()
      await credit.requireCredit({ workspace_id }, { context })
      return { grant, release: await slots.take(workspace_id, workspace.max_concurrent_streams) }
    },
  }
}
