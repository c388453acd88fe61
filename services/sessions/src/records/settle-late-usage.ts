import type { CreditReserver } from '@parlance/clients/credit'
import type { SessionUsage } from '@parlance/contracts'

export interface LateUsage {
  readonly reserver: Pick<CreditReserver, 'reserve'>
  readonly workspaceId: string
  readonly keyId: string
  readonly agentId: string
  readonly usage: Partial<SessionUsage>
}

/** Counts what a conversation used after its account was closed. Tokens have no price of their own. Rejects as `reserve` does. */
export const settleLateUsage = async ({ reserver, workspaceId, keyId, agentId, usage }: LateUsage): Promise<void> => {
  const reservation = await reserver.reserve({ workspaceId, amountNano: 0n })
  reservation.settle(0n, { kind: 'session', key_id: keyId, agent_id: agentId, quantities: usage })
}
