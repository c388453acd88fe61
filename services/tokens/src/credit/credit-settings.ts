import { parseCredit } from '@parlance/clients/credit'
import { creditSchema as amountSchema } from '@parlance/contracts'
import { z } from 'zod'

const seconds = (unset: number) => z.coerce.number().min(0.1).max(3_600).default(unset)

export const creditEnv = z.object({
  /** The process that works on a reservation renews it three times within its lifetime. */
  CREDIT_HOLD_SECONDS: seconds(120).describe(
    'how long credit stays reserved for work whose process was lost, in seconds from 0.1 to 3600',
  ),
  /** A process that cannot reach the ledger may reserve from its lease until this time has passed. */
  CREDIT_LEASE_SECONDS: seconds(300).describe(
    'how long leased credit may be reserved from until the ledger is asked again, in seconds from 0.1 to 3600',
  ),
  CREDIT_LEASE_BLOCK: amountSchema
    .default('1')
    .transform(parseCredit)
    .describe(
      'how much credit is leased at a time, such as "1": raise it to ask the ledger less often, lower it to have less credit unavailable after Redis loses data',
    ),
  CREDIT_LOW: amountSchema
    .default('1')
    .transform(parseCredit)
    .describe('the balance below which webhooks are sent `credit.low`, such as "1"'),
  CREDIT_SETTLE_INTERVAL_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(250)
    .describe(
      'the time between two transactions that settle reservations, in ms from 0 to 1000: raise it to load Postgres less, lower it for usage reports that lag less; balances are always exact',
    ),
})
export type CreditEnv = z.infer<typeof creditEnv>

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
export const lesser = (a: bigint, b: bigint) => (a < b ? a : b)

/**
 * How much to lease for a need: a block, or a sixteenth of the available credit where that is more, so that busy workspaces
 * call rarely. When little credit is available, at most a quarter of it, unless the need is more: credit that is leased to a
 * lost counter is unavailable for some time.
 */
export const creditToLease = (needNano: bigint, availableNano: bigint, blockNano: bigint): bigint =>
  needNano <= 0n
    ? 0n
    : lesser(availableNano, greater(needNano, greater(availableNano / 16n, lesser(blockNano, availableNano / 4n))))
