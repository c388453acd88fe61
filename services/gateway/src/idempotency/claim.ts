/**
 * Who may do the work of an idempotency key, told across all gateways by what is in the store under the key.
 *
 * - One holds the claim at a time. It has a short life and is renewed while the work goes on: should this process end in
 *   the middle, the claim ends soon after it, and whoever waits takes over.
 * - What its holder writes, it writes only while the claim is still its own.
 * - Once the work is done its outcome stands there instead, and nobody can claim the key until that has expired.
 */
import { randomUUID } from 'node:crypto'
import { backoffMs, sleep } from '@parlance/async'
import { ServiceError } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import { z } from 'zod'
import { replaceIfSame } from './replace-if-same.js'

export interface ClaimTimes {
  /** How long a claim lives without being renewed. */
  readonly claimMs: number
  /** How long to wait for another's work. */
  readonly waitMs: number
  /** How long an outcome is kept. */
  readonly keptMs: number
}

const outcomeSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('kept'), fingerprint: z.string(), answer: z.string() }),
  z.object({ state: z.literal('too_large'), fingerprint: z.string() }),
])
/** What became of the work; `answer` is sealed. */
export type Outcome = z.infer<typeof outcomeSchema>

const recordSchema = z.discriminatedUnion('state', [
  ...outcomeSchema.options,
  z.object({ state: z.literal('working'), fingerprint: z.string(), claim: z.string() }),
])

export interface Claim {
  /** False when the claim had been lost. */
  finish(outcome: Outcome): Promise<boolean>
  /** As if it had never been asked for. */
  release(): Promise<void>
}

const pollBackoff = { firstMs: 20, maxMs: 500 }

const conflict = (detail: string) => new ServiceError('idempotency_conflict', detail)

export const stillWorkedOn = () =>
  conflict('The first request with this Idempotency-Key is still being worked on. Ask again later.')

const hold = (ttl: TtlStore, place: string, record: string, times: ClaimTimes): Claim => {
  const renew = setInterval(() => {
    // One that fails is made up for by the next, and a claim that is lost nevertheless does no more than let another try.
    ttl.run(replaceIfSame, [place], [record, record, String(times.claimMs)]).catch(() => undefined)
  }, times.claimMs / 4)
  renew.unref()
  return {
    async finish(outcome) {
      clearInterval(renew)
      return (await ttl.run(replaceIfSame, [place], [record, JSON.stringify(outcome), String(times.keptMs)])) === 1
    },
    async release() {
      clearInterval(renew)
      await ttl.run(replaceIfSame, [place], [record])
    },
  }
}

/**
 * The claim, or what became of the same request before; waits for it where that is being worked on. Rejects with
 * `idempotency_conflict` when the key was used for another request, or when the wait is over; with `unavailable` when
 * the store cannot be reached, as then nobody knows whether this was done before.
 */
export const claimOrOutcome = async (
  ttl: TtlStore,
  place: string,
  fingerprint: string,
  times: ClaimTimes,
): Promise<{ claim: Claim } | { outcome: Outcome }> => {
  const record = JSON.stringify({ state: 'working', fingerprint, claim: randomUUID() })
  const waitUntilMs = performance.now() + times.waitMs
  for (let polls = 1; ; polls++) {
    if (await ttl.setIfAbsent(place, record, times.claimMs)) return { claim: hold(ttl, place, record, times) }
    const text = await ttl.get(place)
    // Null: given up at this very moment, so the next try may well be the one.
    const other = text === null ? undefined : recordSchema.parse(JSON.parse(text))
    if (other !== undefined && other.fingerprint !== fingerprint) {
      throw conflict('This Idempotency-Key was used for another request. Use a new one for a new request.')
    }
    if (other !== undefined && other.state !== 'working') return { outcome: other }
    if (performance.now() > waitUntilMs) throw stillWorkedOn()
    await sleep(backoffMs(pollBackoff, polls))
  }
}
