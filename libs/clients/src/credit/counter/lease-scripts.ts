/** What the ledger's side does with a counter: see `counter-state.ts` for what holds of it. */
import type { StoreScript } from '@parlance/store'
import { type CounterState, findCounter, findCounterOf, forgottenAfterMs, luaPrelude } from './counter-state.js'

/** `(lease, life of a hold in ms)`: an empty counter, in place of whatever was there. */
export const openScript: StoreScript<'opened'> = {
  name: 'open-counter',
  lua: `${luaPrelude}
    redis.call('DEL', key)
    redis.call('HSET', key, 'reign', reign, 'lease', ARGV[1], 'life', ARGV[2],
      'term', 0, 'leased', 0, 'settled', 0, 'held', 0)
    redis.call('PEXPIRE', key, ${forgottenAfterMs})
    return 'opened'`,
  inMemory(entries, [key = ''], [leaseId = '', lifeMs]) {
    const opened: CounterState = {
      leaseId,
      lifeMs: Number(lifeMs),
      termEndsAtMs: 0,
      leased: 0n,
      settled: 0n,
      held: 0n,
      holds: new Map(),
    }
    entries.set(key, opened, forgottenAfterMs)
    return 'opened'
  },
}

/** `(lease, leased in all, term in ms)`: raises what it may give and begins its term anew. 0: not there. */
export const fundScript: StoreScript<number> = {
  name: 'fund-counter',
  lua: `${luaPrelude}
    if not is_for(ARGV[1]) then return 0 end
    if tonumber(ARGV[2]) > tonumber(redis.call('HGET', key, 'leased')) then redis.call('HSET', key, 'leased', ARGV[2]) end
    redis.call('HSET', key, 'term', text(now_ms() + tonumber(ARGV[3])))
    redis.call('PEXPIRE', key, ${forgottenAfterMs})
    return 1`,
  inMemory(entries, [key = ''], [leaseId = '', leased = '', termMs]) {
    const state = findCounterOf(entries, key, leaseId)
    if (state === undefined) return 0
    if (BigInt(leased) > state.leased) state.leased = BigInt(leased)
    state.termEndsAtMs = entries.nowMs() + Number(termMs)
    entries.set(key, state, forgottenAfterMs)
    return 1
  },
}

/** `()`: `[lease, leased, settled, held, how many holds, 1 while its term lasts]`. Null: not there. */
export const readScript: StoreScript<[string, string, string, string, number, number] | null> = {
  name: 'read-counter',
  lua: `${luaPrelude}
    local found = redis.call('HMGET', key, 'reign', 'lease', 'leased', 'settled', 'held', 'term')
    if found[1] ~= reign then return false end
    return {found[2], found[3], found[4], found[5], count_holds(), tonumber(found[6]) > now_ms() and 1 or 0}`,
  inMemory(entries, [key = '']) {
    const state = findCounter(entries, key)
    if (state === undefined) return null
    const { leaseId, leased, settled, held, holds, termEndsAtMs } = state
    return [leaseId, `${leased}`, `${settled}`, `${held}`, holds.size, termEndsAtMs > entries.nowMs() ? 1 : 0]
  },
}

/**
 * `(lease, 'all' | 'expired')`: `[held, id, amount, id, amount, …]`, the holds of the counter or those whose
 * life is over. Null: not there.
 */
export const listHoldsScript: StoreScript<string[] | null> = {
  name: 'list-holds',
  lua: `${luaPrelude}
    if not is_for(ARGV[1]) then return false end
    local fields, now, list = redis.call('HGETALL', key), now_ms(), {redis.call('HGET', key, 'held')}
    for i = 1, #fields, 2 do
      local id = string.match(fields[i], '^hold:(.*)$')
      if id then
        local amount, expires = string.match(fields[i + 1], '^(%d+):(%d+)$')
        if ARGV[2] == 'all' or tonumber(expires) <= now then
          list[#list + 1] = id
          list[#list + 1] = amount
        end
      end
    end
    return list`,
  inMemory(entries, [key = ''], [leaseId = '', which]) {
    const state = findCounterOf(entries, key, leaseId)
    if (state === undefined) return null
    const nowMs = entries.nowMs()
    const listed = [...state.holds].filter(([, { expiresAtMs }]) => which === 'all' || expiresAtMs <= nowMs)
    return [`${state.held}`, ...listed.flatMap(([id, { amount }]) => [id, `${amount}`])]
  },
}

/** `(lease)`: removes a counter whose term has passed and that holds nothing. 0: it is not that, or not there. */
export const dropScript: StoreScript<number> = {
  name: 'drop-counter',
  lua: `${luaPrelude}
    if not is_for(ARGV[1]) then return 0 end
    if count_holds() > 0 or tonumber(redis.call('HGET', key, 'term')) > now_ms() then return 0 end
    return redis.call('DEL', key)`,
  inMemory(entries, [key = ''], [leaseId = '']) {
    const state = findCounterOf(entries, key, leaseId)
    if (state === undefined || state.holds.size > 0 || state.termEndsAtMs > entries.nowMs()) return 0
    entries.delete(key)
    return 1
  },
}
