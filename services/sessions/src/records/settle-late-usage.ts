import type { CreditReserver } from '@parlance/clients/credit'
import type { Logger } from '@parlance/telemetry'
import type { ReplyUsage } from '../llm/language-model.js'
import type { SessionRepository } from './session-repository.js'

export interface LateUsage {
  readonly workspaceId: string
  readonly sessionId: string
  readonly agentId: string
  /** Null when it is unknown: only the record has the usage. */
  readonly keyId: string | null
  readonly usage: ReplyUsage
}

interface SettleLateUsageOptions {
  readonly sessions: Pick<SessionRepository, 'addLateUsage'>
  readonly reserver: Pick<CreditReserver, 'reserve'>
  readonly logger: Pick<Logger, 'warn'>
}

export const createSettleLateUsage = ({ sessions, reserver, logger }: SettleLateUsageOptions) => {
  /** Tokens have no price of their own. */
  const settle = async ({ workspaceId, keyId, agentId, usage }: LateUsage): Promise<void> => {
    if (keyId === null) return
    const reservation = await reserver.reserve({ workspaceId, amountNano: 0n })
    reservation.settle(0n, { kind: 'session', key_id: keyId, agent_id: agentId, quantities: usage })
  }
  /** Counts tokens that were used after the end of a conversation, in its record and in the usage of the workspace. Never rejects. */
  return async (late: LateUsage): Promise<void> => {
    const { workspaceId, sessionId, usage } = late
    for (const outcome of await Promise.allSettled([
      sessions.addLateUsage(workspaceId, sessionId, usage),
      settle(late),
    ])) {
      if (outcome.status === 'fulfilled') continue
      logger.warn(
        { sessionId, err: outcome.reason },
        'Tokens that were used after the end of a conversation could not be counted',
      )
    }
  }
}
