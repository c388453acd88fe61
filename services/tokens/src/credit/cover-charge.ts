export interface Cover {
  readonly byLeaseNano: bigint
  readonly lateNano: bigint
  readonly uncoveredNano: bigint
}

const lesser = (a: bigint, b: bigint) => (a < b ? a : b)

/**
 * Divides a charge: the lease pays with what it has left, then the account with what it has available. The rest is not
 * charged, because credit never falls below zero. There is a rest only where a counter was wrong, or where work was settled
 * after its lease had been closed.
 */
export const coverCharge = (chargeNano: bigint, leftOfLeaseNano: bigint, availableNano: bigint): Cover => {
  const byLeaseNano = lesser(chargeNano, leftOfLeaseNano)
  const lateNano = lesser(chargeNano - byLeaseNano, availableNano)
  return { byLeaseNano, lateNano, uncoveredNano: chargeNano - byLeaseNano - lateNano }
}
