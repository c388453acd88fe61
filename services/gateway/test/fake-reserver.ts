import type { CreditReserver } from '@parlance/clients/credit'
import type { Usage } from '@parlance/contracts'
import { ServiceError } from '@parlance/contracts'

/** One reservation. */
interface Reserved {
  workspaceId: string
  amountNano: bigint
  endings: ({ chargeNano: bigint; usage: Usage } | 'released')[]
}

/** Reserves every amount, unless `refuseWith` is set, and records how each reservation ended. */
export const createFakeReserver = () => {
  const holds: Reserved[] = []
  const reserver: Pick<CreditReserver, 'reserve'> = {
    async reserve({ workspaceId, amountNano }) {
      await fake.beforeReserving()
      if (fake.refuseWith !== undefined) throw new ServiceError(fake.refuseWith, 'No credit.')
      const reserved: Reserved = { workspaceId, amountNano, endings: [] }
      holds.push(reserved)
      return {
        reservation: { id: workspaceId, workspace_id: workspaceId, lease_id: workspaceId, amount: '1.00' },
        settle: (chargeNano, usage) => void reserved.endings.push({ chargeNano, usage }),
        release: () => void reserved.endings.push('released'),
      }
    },
  }
  const fake = {
    ...reserver,
    holds,
    refuseWith: undefined as 'insufficient_credit' | 'unavailable' | undefined,
    beforeReserving: () => Promise.resolve(),
  }
  return fake
}
