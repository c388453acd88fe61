import type { StoreScript } from '@parlance/store'

/** Granted of those that were wanted, left after that, ms until all are there again, ms until one more is there. */
export type Permits = readonly [granted: number, remaining: number, fullInMs: number, nextInMs: number]

/**
 * Takes permits out of a bucket that holds those of one minute and fills evenly. Key: the bucket; arguments: permits a
 * minute, permits wanted.
 *
 * A bucket is kept as what is missing from it and when that was so. Missing permits are counted in sixty-thousandths:
 * so many are in one permit, and with a limit of `n` permits a minute `n` of them come back every ms. All figures are
 * whole numbers, so nothing is lost in rounding, however often it is asked. A full bucket need not be kept at all.
 */
export const takePermits: StoreScript<Permits> = {
  name: 'take-permits',
  lua: `
    local limit, wanted = tonumber(ARGV[1]), tonumber(ARGV[2])
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local missing = 0
    local kept = redis.call('GET', KEYS[1])
    if kept then
      local before, at = string.match(kept, '(%d+) (%d+)')
      missing = math.max(0, before - math.max(0, now - at) * limit)
    end
    local free = limit * 60000 - missing
    local granted = math.max(0, math.min(wanted, math.floor(free / 60000)))
    if granted > 0 then
      missing = missing + granted * 60000
      free = free - granted * 60000
      local life = math.ceil(missing / limit)
      redis.call('SET', KEYS[1], string.format('%.0f %.0f', missing, now), 'PX', string.format('%.0f', life))
    end
    return {
      granted,
      math.max(0, math.floor(free / 60000)),
      math.ceil(missing / limit),
      math.max(0, math.ceil((60000 - free) / limit))
    }`,
  inMemory(entries, [key = ''], [limitText, wantedText]) {
    const limit = Number(limitText)
    const now = Math.floor(entries.nowMs())
    let missing = 0
    const kept = entries.get(key) as { missing: number; at: number } | undefined
    if (kept !== undefined) missing = Math.max(0, kept.missing - Math.max(0, now - kept.at) * limit)
    let free = limit * 60_000 - missing
    const granted = Math.max(0, Math.min(Number(wantedText), Math.floor(free / 60_000)))
    if (granted > 0) {
      missing += granted * 60_000
      free -= granted * 60_000
      entries.set(key, { missing, at: now }, Math.ceil(missing / limit))
    }
    return [
      granted,
      Math.max(0, Math.floor(free / 60_000)),
      Math.ceil(missing / limit),
      Math.max(0, Math.ceil((60_000 - free) / limit)),
    ]
  },
}
