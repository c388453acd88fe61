import type { StoreScript } from '@parlance/store'

/**
 * Stores how many streams one replica has open. Returns the sum over all replicas. Key: the counter; arguments: the
 * replica, its count, and how long the count is valid in ms.
 *
 * The count is absolute. Storing it again restores a lost count, and the count of a replica that died expires.
 */
export const reportOpen: StoreScript<number> = {
  name: 'report-open',
  lua: `
    local replica, open, ttl = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local others = 0
    local shares = redis.call('HGETALL', KEYS[1])
    for i = 1, #shares, 2 do
      local count, expires = string.match(shares[i + 1], '(%d+) (%d+)')
      if shares[i] ~= replica then
        if tonumber(expires) > now then
          others = others + tonumber(count)
        else
          redis.call('HDEL', KEYS[1], shares[i])
        end
      end
    end
    if open == 0 then
      redis.call('HDEL', KEYS[1], replica)
    else
      redis.call('HSET', KEYS[1], replica, string.format('%.0f %.0f', open, now + ttl))
      redis.call('PEXPIRE', KEYS[1], ttl)
    end
    return others + open`,
  inMemory(entries, [key = ''], [replica = '', openText, ttlText]) {
    const [open, ttlMs] = [Number(openText), Number(ttlText)]
    const now = entries.nowMs()
    const shares = (entries.get(key) as Map<string, { open: number; expiresAtMs: number }> | undefined) ?? new Map()
    let others = 0
    for (const [other, share] of shares) {
      if (other === replica) continue
      if (share.expiresAtMs > now) others += share.open
      else shares.delete(other)
    }
    if (open === 0) shares.delete(replica)
    else shares.set(replica, { open, expiresAtMs: now + ttlMs })
    if (open > 0) entries.set(key, shares, ttlMs)
    return others + open
  },
}
