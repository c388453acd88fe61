import type { CreditEnv } from './credit-env.js'

export interface LeaseTerms {
  /** A reservation that is not renewed expires after this time. */
  readonly reservationLifeMs: number
  /** How long credit may be reserved from a counter until the ledger is called again. */
  readonly termMs: number
  /** How long reservations of a fenced lease may be settled. The last of them was made before the end of its term. */
  readonly graceMs: number
  readonly blockNano: bigint
}

export const leaseTermsOf = (env: CreditEnv): LeaseTerms => {
  const [reservationLifeMs, termMs] = [env.CREDIT_HOLD_SECONDS * 1000, env.CREDIT_LEASE_SECONDS * 1000]
  return { reservationLifeMs, termMs, graceMs: termMs + reservationLifeMs, blockNano: env.CREDIT_LEASE_BLOCK }
}

const greater = (a: bigint, b: bigint) => (a > b ? a : b)
const lesser = (a: bigint, b: bigint) => (a < b ? a : b)

/**
 * How much to lease for a need: a block, or a sixteenth of the available credit where that is more, so that busy workspaces
 * call rarely. When little credit is available, at most a quarter of it, unless the need is more: credit that is leased to a
 * lost counter is unavailable for some time.
 */
export const creditToLease = (needNano: bigint, availableNano: bigint, blockNano: bigint): bigint =>
  needNano <= 0n
    ? 0n
    : lesser(availableNano, greater(needNano, greater(availableNano / 16n, lesser(blockNano, availableNano / 4n))))
