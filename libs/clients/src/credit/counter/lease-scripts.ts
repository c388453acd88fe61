/** The operations of the tokens service on a counter. `counter-state.ts` has the invariants. */
import type { StoreScript } from '@parlance/store'
import { type CounterState, counterTtlMs, findCounter, findCounterOf, luaPrelude } from './counter-state.js'

/** `(lease, lifetime of a reservation in ms)`: an empty counter, which replaces an earlier one. */
export const openScript: StoreScript<'opened'> = {
  name: 'open-counter',
  lua: `${luaPrelude}
    redis.call('DEL', key)
    redis.call('HSET', key, 'reign', epoch, 'lease', ARGV[1], 'life', ARGV[2],
      'term', 0, 'leased', 0, 'settled', 0, 'held', 0)
    redis.call('PEXPIRE', key, ${counterTtlMs})
    return 'opened'`,
  inMemory(entries, [key = ''], [leaseId = '', lifeMs]) {
    const opened: CounterState = {
      leaseId,
      lifeMs: Number(lifeMs),
      termEndsAtMs: 0,
      leased: 0n,
      settled: 0n,
      reserved: 0n,
      reservations: new Map(),
    }
    entries.set(key, opened, counterTtlMs)
    return 'opened'
  },
}

/** `(lease, total leased, term in ms)`: raises the leased sum and restarts the term. 0: absent. */
export const fundScript: StoreScript<number> = {
  name: 'fund-counter',
  lua: `${luaPrelude}
    if not is_for(ARGV[1]) then return 0 end
    if tonumber(ARGV[2]) > tonumber(redis.call('HGET', key, 'leased')) then redis.call('HSET', key, 'leased', ARGV[2]) end
    redis.call('HSET', key, 'term', text(now_ms() + tonumber(ARGV[3])))
    redis.call('PEXPIRE', key, ${counterTtlMs})
    return 1`,
  inMemory(entries, [key = ''], [leaseId = '', leased = '', termMs]) {
    const state = findCounterOf(entries, key, leaseId)
    if (state === undefined) return 0
    if (BigInt(leased) > state.leased) state.leased = BigInt(leased)
    state.termEndsAtMs = entries.nowMs() + Number(termMs)
    entries.set(key, state, counterTtlMs)
    return 1
  },
}

/** `()`: `[lease, leased, settled, reserved, number of reservations, 1 during the term]`. Null: absent. */
export const readScript: StoreScript<[string, string, string, string, number, number] | null> = {
  name: 'read-counter',
  lua: `${luaPrelude}
    local found = redis.call('HMGET', key, 'reign', 'lease', 'leased', 'settled', 'held', 'term')
    if found[1] ~= epoch then return false end
    return {found[2], found[3], found[4], found[5], count_reservations(), tonumber(found[6]) > now_ms() and 1 or 0}`,
  inMemory(entries, [key = '']) {
    const state = findCounter(entries, key)
    if (state === undefined) return null
    const { leaseId, leased, settled, reserved, reservations, termEndsAtMs } = state
    return [
      leaseId,
      `${leased}`,
      `${settled}`,
      `${reserved}`,
      reservations.size,
      termEndsAtMs > entries.nowMs() ? 1 : 0,
    ]
  },
}

/**
 * `(lease, 'all' | 'expired')`: `[reserved, id, amount, id, amount, …]`, all reservations or the expired ones. Null: absent.
 */
export const listReservationsScript: StoreScript<string[] | null> = {
  name: 'list-reservations',
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
    const listed = [...state.reservations].filter(([, { expiresAtMs }]) => which === 'all' || expiresAtMs <= nowMs)
    return [`${state.reserved}`, ...listed.flatMap(([id, { amount }]) => [id, `${amount}`])]
  },
}

/** `(lease)`: removes a counter without reservations whose term has passed. 0: it is another one, or absent. */
export const dropScript: StoreScript<number> = {
  name: 'drop-counter',
  lua: `${luaPrelude}
    if not is_for(ARGV[1]) then return 0 end
    if count_reservations() > 0 or tonumber(redis.call('HGET', key, 'term')) > now_ms() then return 0 end
    return redis.call('DEL', key)`,
  inMemory(entries, [key = ''], [leaseId = '']) {
    const state = findCounterOf(entries, key, leaseId)
    if (state === undefined || state.reservations.size > 0 || state.termEndsAtMs > entries.nowMs()) return 0
    entries.delete(key)
    return 1
  },
}
