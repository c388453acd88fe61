/**
 * A workspace's counter: the credit that can still be reserved from its lease. Invariants of every script:
 *
 * - A counter is one entry under one key, so that a store loses all of it or nothing. After a loss a counter is opened for
 *   another lease, and the ledger returns the credit of the lost one.
 * - A counter that was written under another epoch of Redis may be a stale copy: Redis restarted from a snapshot, a replica
 *   took over, or the server was a replica for a moment. Scripts treat it as absent. The script itself reads the epoch, so
 *   that all clients see the same, whenever they connected. Memory has one epoch.
 * - `leased` and `settled` are sums over the life of the lease and never decrease, so setting them is idempotent. `reserved` is
 *   the sum of the reservations. leased >= settled + reserved.
 * - Nothing can be reserved after the term, until the ledger has begun another one.
 *
 * Amounts stay far below 2^53 (see `credit-amount.ts`), because Lua counts in doubles.
 */
import type { MemoryEntries } from '@parlance/store'

export interface CounterState {
  readonly leaseId: string
  /** A reservation that is not renewed expires after this time. */
  readonly lifeMs: number
  termEndsAtMs: number
  leased: bigint
  settled: bigint
  reserved: bigint
  readonly reservations: Map<string, { readonly amount: bigint; expiresAtMs: number }>
}

/** A counter that is not used expires after this time. Terms and the lifetimes of reservations are far shorter. */
export const counterTtlMs = 24 * 60 * 60 * 1000

/** The fields of a counter in Redis besides those of its reservations. The names are those of stored data. */
const ownFields = ['reign', 'lease', 'life', 'term', 'leased', 'settled', 'held']

/**
 * In Redis a counter is a hash with a field `hold:<id>` of `<amount>:<expiry in ms>` for each reservation. `text` prints
 * numbers, because Lua prints large ones as 1e+15. Reservations are counted, because one of zero credit is a reservation too.
 * The epoch is the id of a master's history of writes, which changes when a master starts or was a replica.
 */
export const luaPrelude = `
local key = KEYS[1]
local epoch = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
local function text(number) return string.format('%.0f', number) end
local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function count_reservations() return redis.call('HLEN', key) - ${ownFields.length} end
local function is_for(lease)
  local found = redis.call('HMGET', key, 'reign', 'lease')
  return found[1] == epoch and found[2] == lease
end
`

export const findCounter = (entries: MemoryEntries, key: string): CounterState | undefined =>
  entries.get(key) as CounterState | undefined

/** The counter if it belongs to this lease. */
export const findCounterOf = (entries: MemoryEntries, key: string, leaseId: string): CounterState | undefined => {
  const state = findCounter(entries, key)
  return state?.leaseId === leaseId ? state : undefined
}
