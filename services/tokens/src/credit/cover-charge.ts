export interface Cover {
  readonly byLeaseNano: bigint
  readonly lateNano: bigint
  readonly uncoveredNano: bigint
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)

/**
 * Who pays a charge: its lease with what it has left, then the account with what it has available. What is still left is
 * charged to nobody, for credit never falls below zero. It takes a counter gone wrong, or work that was settled after its
 * lease had been closed, to come that far.
 */
export const coverCharge = (chargeNano: bigint, leftOfLeaseNano: bigint, availableNano: bigint): Cover => {
  const byLeaseNano = least(chargeNano, leftOfLeaseNano)
  const lateNano = least(chargeNano - byLeaseNano, availableNano)
  return { byLeaseNano, lateNano, uncoveredNano: chargeNano - byLeaseNano - lateNano }
}
