/** Random histories of a workspace's credit: the calls of two gateways, round by round. */
import fc from 'fast-check'

export type Ending =
  | { readonly how: 'settle'; readonly quarters: number }
  | { readonly how: 'release' }
  /** Both gateways end it at the same time, with different charges. */
  | { readonly how: 'race'; readonly quarters: readonly [number, number] }
  /** Its gateway neither renews nor ends it. */
  | { readonly how: 'abandon' }
  /** Its gateway does not renew it, and settles it after it has expired. */
  | { readonly how: 'settle late'; readonly quarters: number }

export type Step = { readonly gateway: 0 | 1 } & (
  | { readonly do: 'grant'; readonly amountNano: bigint; readonly reference: string }
  | {
      readonly do: 'reserve'
      readonly amountNano: bigint
      readonly ending: Ending
      /** The reservation ends this many rounds later. */
      readonly rounds: number
    }
  | { readonly do: 'look' }
  | { readonly do: 'reconcile' }
)

/** The steps of a round happen at once. */
export type History = readonly (readonly Step[])[]

const gateway = fc.constantFrom(0 as const, 1 as const)
const quarters = fc.integer({ min: 0, max: 4 })

/** Mostly little, so that reservations compete for it; sometimes the maximum that one reservation may have. */
const amountNano = fc.oneof(
  { weight: 12, arbitrary: fc.bigInt({ min: 0n, max: 40n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 10n ** 15n }) },
)
const grantedNano = fc.oneof(
  { weight: 12, arbitrary: fc.bigInt({ min: 1n, max: 150n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 10n ** 16n }) },
)

const ending: fc.Arbitrary<Ending> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ how: fc.constant('settle' as const), quarters }) },
  { weight: 6, arbitrary: fc.constant({ how: 'release' as const }) },
  { weight: 6, arbitrary: fc.record({ how: fc.constant('race' as const), quarters: fc.tuple(quarters, quarters) }) },
  { weight: 2, arbitrary: fc.constant({ how: 'abandon' as const }) },
  { weight: 1, arbitrary: fc.record({ how: fc.constant('settle late' as const), quarters }) },
)

const grant = fc.record({
  do: fc.constant('grant' as const),
  gateway,
  amountNano: grantedNano,
  reference: fc.constantFrom('first', 'second', 'third'),
})
const reserve = fc.record({
  do: fc.constant('reserve' as const),
  gateway,
  amountNano,
  ending,
  rounds: fc.integer({ min: 0, max: 2 }),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: grant },
  { weight: 16, arbitrary: reserve },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('look' as const), gateway }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reconcile' as const), gateway }) },
)

export const historyOf = (rounds: { minLength: number; maxLength: number }): fc.Arbitrary<History> =>
  fc
    .tuple(grant, fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), rounds))
    .map(([first, all]) => [[first], ...all])

export const printHistory = (rounds: History): string =>
  rounds
    .map((steps) => JSON.stringify(steps, (_, value) => (typeof value === 'bigint' ? `${value}` : value)))
    .join('\n')
