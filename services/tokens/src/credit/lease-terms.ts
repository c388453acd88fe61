import type { CreditEnv } from './credit-env.js'

export interface LeaseTerms {
  /** How long a hold lives that nobody renews. */
  readonly holdLifeMs: number
  /** How long a counter may give until the ledger is asked again. */
  readonly termMs: number
  /** How long what was held from a fenced lease may still be settled: its last hold was taken before its term ended. */
  readonly graceMs: number
  readonly blockNano: bigint
}

export const leaseTermsOf = (env: CreditEnv): LeaseTerms => {
  const [holdLifeMs, termMs] = [env.CREDIT_HOLD_SECONDS * 1000, env.CREDIT_LEASE_SECONDS * 1000]
  return { holdLifeMs, termMs, graceMs: termMs + holdLifeMs, blockNano: env.CREDIT_LEASE_BLOCK }
}

const most = (a: bigint, b: bigint) => (a > b ? a : b)
const least = (a: bigint, b: bigint) => (a < b ? a : b)

/**
 * How much to lease for a need, out of what is available: a block, or a sixteenth where that is more, so that the busy
 * ask rarely. Of little credit a quarter at most, unless the need itself is more: what a lost counter had been given is
 * out of reach for a while.
 */
export const creditToLease = (needNano: bigint, availableNano: bigint, blockNano: bigint): bigint =>
  needNano <= 0n
    ? 0n
    : least(availableNano, most(needNano, most(availableNano / 16n, least(blockNano, availableNano / 4n))))
