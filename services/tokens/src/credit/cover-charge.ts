export interface Cover {
  readonly byLeaseNano: bigint
  readonly lateNano: bigint
  readonly uncoveredNano: bigint
}

const lesser = (a: bigint, b: bigint) => (a < b ? a : b)

/**
 * Divides a charge: the remaining credit of the lease pays first, then the available credit of the account. The remainder is
 * not charged, because credit never falls below zero. A remainder occurs only when a counter was wrong, or when work was
 * settled after its lease was closed.
 */
export const coverCharge = (chargeNano: bigint, leftOfLeaseNano: bigint, availableNano: bigint): Cover => {
  const byLeaseNano = lesser(chargeNano, leftOfLeaseNano)
  const lateNano = lesser(chargeNano - byLeaseNano, availableNano)
  return { byLeaseNano, lateNano, uncoveredNano: chargeNano - byLeaseNano - lateNano }
}
