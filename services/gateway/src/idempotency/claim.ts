/**
 * Decides which request does the work of an idempotency key, across all gateways, with a record in the store.
 *
 * - One request has the claim at a time. A claim has a short lifetime and is renewed while the work is in progress. When the
 *   process of its holder ends, the claim expires soon after, and a request that waits takes it.
 * - The holder changes the record only while the claim is still its own.
 * - When the work is done, the outcome replaces the claim. The key cannot be claimed until the outcome has expired.
 */
import { randomUUID } from 'node:crypto'
import { backoffMs, sleep } from '@parlance/async'
import { ServiceError } from '@parlance/contracts'
import type { StoreScript, TtlStore } from '@parlance/store'
import { z } from 'zod'

/**
 * Replaces the value of a key when it equals the expected value, and returns 1; else does nothing and returns 0. Arguments:
 * the expected value, the new value, its lifetime in ms. Without the last two, the key is deleted.
 */
const replaceIfSame: StoreScript<number> = {
  name: 'replace-if-same',
  lua: `
    if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    if ARGV[2] then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) else redis.call('DEL', KEYS[1]) end
    return 1`,
  inMemory(entries, [key = ''], [expected, text, ttlMs]) {
    if (entries.get(key) !== expected) return 0
    if (text === undefined) entries.delete(key)
    else entries.set(key, text, Number(ttlMs))
    return 1
  },
}

export interface ClaimTimes {
  /** The lifetime of a claim that is not renewed. */
  readonly claimMs: number
  /** The longest wait for the work of another request. */
  readonly waitMs: number
  /** The lifetime of an outcome. */
  readonly keptMs: number
}

const outcomeSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('kept'), fingerprint: z.string(), answer: z.string() }),
  z.object({ state: z.literal('too_large'), fingerprint: z.string() }),
])
/** The outcome of the work. `answer` is sealed. */
export type Outcome = z.infer<typeof outcomeSchema>

const recordSchema = z.discriminatedUnion('state', [
  ...outcomeSchema.options,
  z.object({ state: z.literal('working'), fingerprint: z.string(), claim: z.string() }),
])

interface Claim {
  /** Stores the outcome. Resolves to false when the claim was lost before. */
  finish(outcome: Outcome): Promise<boolean>
  /** Gives up the claim, so that another request may take it. */
  release(): Promise<void>
}

const pollBackoff = { firstMs: 20, maxMs: 500 }

const conflict = (detail: string) => new ServiceError('idempotency_conflict', detail)

/** Retryable: only a different request with the same key is a conflict. */
const stillWorkedOn = () =>
  new ServiceError('unavailable', 'The first request with this Idempotency-Key is still in progress. Try again.', {
    retryAfterSeconds: 5,
  })

const keepClaim = (ttl: TtlStore, key: string, record: string, times: ClaimTimes): Claim => {
  const renew = setInterval(() => {
    // The next renewal compensates for one that fails. If the claim is still lost, another request may only do the work again.
    ttl.run(replaceIfSame, [key], [record, record, String(times.claimMs)]).catch(() => undefined)
  }, times.claimMs / 4)
  renew.unref()
  return {
    async finish(outcome) {
      clearInterval(renew)
      return (await ttl.run(replaceIfSame, [key], [record, JSON.stringify(outcome), String(times.keptMs)])) === 1
    },
    async release() {
      clearInterval(renew)
      await ttl.run(replaceIfSame, [key], [record])
    },
  }
}

/**
 * Resolves with the claim, or with the outcome of the same request before, for which it waits. Rejects with
 * `idempotency_conflict` when the key was used for another request; with `unavailable` when the wait is over, and when the
 * store cannot be reached, since it is then unknown whether the work was done before.
 */
export const claimOrOutcome = async (
  ttl: TtlStore,
  key: string,
  fingerprint: string,
  times: ClaimTimes,
): Promise<{ claim: Claim } | { outcome: Outcome }> => {
  const record = JSON.stringify({ state: 'working', fingerprint, claim: randomUUID() })
  const waitUntilMs = performance.now() + times.waitMs
  for (let polls = 1; ; polls++) {
    if (await ttl.setIfAbsent(key, record, times.claimMs)) return { claim: keepClaim(ttl, key, record, times) }
    const text = await ttl.get(key)
    // Null: the claim has just been released, so the next attempt may succeed.
    const other = text === null ? undefined : recordSchema.parse(JSON.parse(text))
    if (other !== undefined && other.fingerprint !== fingerprint) {
      throw conflict('This Idempotency-Key was used for another request. Use a new one for a new request.')
    }
    if (other !== undefined && other.state !== 'working') return { outcome: other }
    if (performance.now() > waitUntilMs) throw stillWorkedOn()
    await sleep(backoffMs(pollBackoff, polls))
  }
}
