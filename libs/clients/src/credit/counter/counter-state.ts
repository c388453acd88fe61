/**
 * A workspace's counter: what the lease of credit that it was opened for still has to give. What each script keeps:
 *
 * - It is one entry under one key, so that a store loses all of it or nothing. What is lost is opened anew for another
 *   lease; credit that was leased to it comes back through the ledger.
 * - A counter that was written under another reign of Redis may be a stale copy: it restarted with what it had once, or a
 *   replica took over, or it was a replica itself for a moment. To every script it is as if it were not there. The script
 *   itself asks Redis for its reign, so that all see the same whenever they connected. Memory has one reign.
 * - `leased` and `settled` are sums over the life of the lease and never shrink, so that setting them twice is as good as
 *   once. `held` is the sum of the holds. leased >= settled + held.
 * - It gives nothing once its term has passed: then somebody must ask the ledger first.
 *
 * Amounts stay far below 2^53 (see `credit-limits.ts`), for Lua counts in doubles.
 */
import type { MemoryEntries } from '@parlance/store'

export interface CounterState {
  readonly leaseId: string
  /** How long a hold lives that nobody renews. */
  readonly lifeMs: number
  termEndsAtMs: number
  leased: bigint
  settled: bigint
  held: bigint
  readonly holds: Map<string, { readonly amount: bigint; expiresAtMs: number }>
}

/** A counter that nobody touches is forgotten; terms and lives are far shorter. */
export const forgottenAfterMs = 24 * 60 * 60 * 1000

/** Of a counter in Redis, beside those of its holds. */
const ownFields = ['reign', 'lease', 'life', 'term', 'leased', 'settled', 'held']

/**
 * In Redis a counter is a hash, with a field `hold:<id>` of `<amount>:<end of its life>` for each hold. Numbers are made
 * into text by `text`: Lua itself would write large ones as 1e+15. Holds are counted where it matters whether there are
 * any, for one of nothing is a hold as well. A reign is the id of a master's history of writes: a master that starts, or
 * that was a replica, begins another.
 */
export const luaPrelude = `
local key = KEYS[1]
local reign = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
local function text(number) return string.format('%.0f', number) end
local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function count_holds() return redis.call('HLEN', key) - ${ownFields.length} end
local function is_for(lease)
  local found = redis.call('HMGET', key, 'reign', 'lease')
  return found[1] == reign and found[2] == lease
end
`

export const findCounter = (entries: MemoryEntries, key: string): CounterState | undefined =>
  entries.get(key) as CounterState | undefined

/** The counter, if it is the one of this lease. */
export const findCounterOf = (entries: MemoryEntries, key: string, leaseId: string): CounterState | undefined => {
  const state = findCounter(entries, key)
  return state?.leaseId === leaseId ? state : undefined
}
