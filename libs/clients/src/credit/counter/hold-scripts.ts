/** What becomes of the single hold in a counter: see `counter-state.ts` for what holds of it. */
import type { StoreScript } from '@parlance/store'
import { findCounter, findCounterOf, luaPrelude } from './counter-state.js'

/**
 * `(hold, amount)`: `['held', lease, life in ms]`, `['short']` when the counter has not that much to give, or
 * `['absent']` when it is not there or its term has passed. A hold that is there already is held as it is.
 */
export const reserveScript: StoreScript<['held', string, string] | ['short'] | ['absent']> = {
  name: 'reserve',
  lua: `${luaPrelude}
    local found = redis.call('HMGET', key, 'reign', 'lease', 'leased', 'settled', 'held', 'term', 'life')
    local now = now_ms()
    if found[1] ~= reign or tonumber(found[6]) <= now then return {'absent'} end
    local field, held = 'hold:' .. ARGV[1], {'held', found[2], found[7]}
    if redis.call('HEXISTS', key, field) == 1 then return held end
    if tonumber(found[3]) - tonumber(found[4]) - tonumber(found[5]) < tonumber(ARGV[2]) then return {'short'} end
    redis.call('HSET', key, field, ARGV[2] .. ':' .. text(now + tonumber(found[7])))
    redis.call('HINCRBY', key, 'held', ARGV[2])
    return held`,
  inMemory(entries, [key = ''], [holdId = '', amountText = '']) {
    const state = findCounter(entries, key)
    const nowMs = entries.nowMs()
    if (state === undefined || state.termEndsAtMs <= nowMs) return ['absent']
    const amount = BigInt(amountText)
    if (!state.holds.has(holdId)) {
      if (state.leased - state.settled - state.held < amount) return ['short']
      state.holds.set(holdId, { amount, expiresAtMs: nowMs + state.lifeMs })
      state.held += amount
    }
    return ['held', state.leaseId, `${state.lifeMs}`]
  },
}

/** `(lease, hold)`: begins its life anew. 0: not there. */
export const renewScript: StoreScript<number> = {
  name: 'renew',
  lua: `${luaPrelude}
    if not is_for(ARGV[1]) then return 0 end
    local field = 'hold:' .. ARGV[2]
    local found = redis.call('HMGET', key, field, 'life')
    if not found[1] then return 0 end
    local amount = string.match(found[1], '^%d+')
    redis.call('HSET', key, field, amount .. ':' .. text(now_ms() + tonumber(found[2])))
    return 1`,
  inMemory(entries, [key = ''], [leaseId = '', holdId = '']) {
    const state = findCounterOf(entries, key, leaseId)
    const hold = state?.holds.get(holdId)
    if (state === undefined || hold === undefined) return 0
    hold.expiresAtMs = entries.nowMs() + state.lifeMs
    return 1
  },
}

/** `(lease, hold, what the lease paid)`: ends a hold, once. 0: not there, or no more. */
export const resolveScript: StoreScript<number> = {
  name: 'resolve',
  lua: `${luaPrelude}
    if not is_for(ARGV[1]) then return 0 end
    local field = 'hold:' .. ARGV[2]
    local hold = redis.call('HGET', key, field)
    if not hold then return 0 end
    redis.call('HDEL', key, field)
    redis.call('HINCRBY', key, 'held', text(0 - tonumber(string.match(hold, '^%d+'))))
    redis.call('HINCRBY', key, 'settled', ARGV[3])
    return 1`,
  inMemory(entries, [key = ''], [leaseId = '', holdId = '', paid = '']) {
    const state = findCounterOf(entries, key, leaseId)
    const hold = state?.holds.get(holdId)
    if (state === undefined || hold === undefined) return 0
    state.holds.delete(holdId)
    state.held -= hold.amount
    state.settled += BigInt(paid)
    return 1
  },
}
