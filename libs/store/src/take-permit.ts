import type { StoreScript } from './ttl-store.js'

/** 1 if a permit was granted, else 0; permits left; ms until the bucket is full; ms until it has one more permit. */
type PermitReply = readonly [granted: number, remaining: number, fullInMs: number, nextInMs: number]

/**
 * Takes a permit out of a token bucket that has the permits of one period and refills evenly. Key: the bucket; arguments:
 * permits a period, and the period in ms.
 *
 * A bucket is stored as the permits that are missing from it, and the time at which they were. They are counted in units of
 * 1/`period` permit, of which a limit of `n` permits a period restores `n` every ms. So all numbers are integers, and
 * nothing is lost by rounding, however often the script runs. A full bucket is not stored.
 */
export const takePermit: StoreScript<PermitReply> = {
  name: 'take-permit',
  lua: `
    local limit = tonumber(ARGV[1])
    local period = tonumber(ARGV[2])
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local missing = 0
    local kept = redis.call('GET', KEYS[1])
    if kept then
      local before, at = string.match(kept, '(%d+) (%d+)')
      missing = math.max(0, before - math.max(0, now - at) * limit)
    end
    local free = limit * period - missing
    local granted = 0
    if free >= period then
      granted = 1
      missing = missing + period
      free = free - period
      local life = math.ceil(missing / limit)
      redis.call('SET', KEYS[1], string.format('%.0f %.0f', missing, now), 'PX', string.format('%.0f', life))
    end
    return {
      granted,
      math.max(0, math.floor(free / period)),
      math.ceil(missing / limit),
      math.max(0, math.ceil((period - free) / limit))
    }`,
  inMemory(entries, [key = ''], [limitText, periodText]) {
    const limit = Number(limitText)
    const period = Number(periodText)
    const now = Math.floor(entries.nowMs())
    let missing = 0
    const kept = entries.get(key) as { missing: number; at: number } | undefined
    if (kept !== undefined) missing = Math.max(0, kept.missing - Math.max(0, now - kept.at) * limit)
    let free = limit * period - missing
    const granted = free >= period ? 1 : 0
    if (granted === 1) {
      missing += period
      free -= period
      entries.set(key, { missing, at: now }, Math.ceil(missing / limit))
    }
    return [
      granted,
      Math.max(0, Math.floor(free / period)),
      Math.ceil(missing / limit),
      Math.max(0, Math.ceil((period - free) / limit)),
    ]
  },
}
