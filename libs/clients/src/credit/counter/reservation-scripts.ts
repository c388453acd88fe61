/** Single reservations in a counter. `counter-state.ts` has the invariants. */
import type { StoreScript } from '@parlance/store'
import { findCounter, findCounterOf, luaPrelude } from './counter-state.js'

/**
 * `(reservation, amount)`: `['held', lease, lifetime in ms]`, `['short']` when the counter does not have enough credit, or
 * `['absent']` when there is no counter or its term has passed. A reservation that exists already is unchanged.
 */
export const reserveScript: StoreScript<['held', string, string] | ['short'] | ['absent']> = {
  name: 'reserve',
  lua: `${luaPrelude}
    local found = redis.call('HMGET', key, 'reign', 'lease', 'leased', 'settled', 'held', 'term', 'life')
    local now = now_ms()
    if found[1] ~= epoch or tonumber(found[6]) <= now then return {'absent'} end
    local field, held = 'hold:' .. ARGV[1], {'held', found[2], found[7]}
    if redis.call('HEXISTS', key, field) == 1 then return held end
    if tonumber(found[3]) - tonumber(found[4]) - tonumber(found[5]) < tonumber(ARGV[2]) then return {'short'} end
    redis.call('HSET', key, field, ARGV[2] .. ':' .. text(now + tonumber(found[7])))
    redis.call('HINCRBY', key, 'held', ARGV[2])
    return held`,
  inMemory(entries, [key = ''], [reservationId = '', amountText = '']) {
    const state = findCounter(entries, key)
    const nowMs = entries.nowMs()
    if (state === undefined || state.termEndsAtMs <= nowMs) return ['absent']
    const amount = BigInt(amountText)
    if (!state.reservations.has(reservationId)) {
      if (state.leased - state.settled - state.reserved < amount) return ['short']
      state.reservations.set(reservationId, { amount, expiresAtMs: nowMs + state.lifeMs })
      state.reserved += amount
    }
    return ['held', state.leaseId, `${state.lifeMs}`]
  },
}

/** `(lease, reservation)`: restarts its lifetime. 0: absent. */
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
  inMemory(entries, [key = ''], [leaseId = '', reservationId = '']) {
    const state = findCounterOf(entries, key, leaseId)
    const reservation = state?.reservations.get(reservationId)
    if (state === undefined || reservation === undefined) return 0
    reservation.expiresAtMs = entries.nowMs() + state.lifeMs
    return 1
  },
}

/** `(lease, reservation, amount paid by the lease)`: ends a reservation, once. 0: absent, or ended before. */
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
  inMemory(entries, [key = ''], [leaseId = '', reservationId = '', paid = '']) {
    const state = findCounterOf(entries, key, leaseId)
    const reservation = state?.reservations.get(reservationId)
    if (state === undefined || reservation === undefined) return 0
    state.reservations.delete(reservationId)
    state.reserved -= reservation.amount
    state.settled += BigInt(paid)
    return 1
  },
}
