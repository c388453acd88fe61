import type { StoreScript } from '@parlance/store'

/**
 * Stores how many streams one replica has open, unless the sum over all replicas would exceed the limit. Returns 1 when the
 * count was stored, else 0. Key: the counter; arguments: the replica, its count, the limit (0 for none), and how long the
 * count is valid in ms.
 *
 * The count is absolute. To store it again corrects a count that was lost, and the count of a replica that died expires.
 */
export const reportOpen: StoreScript<number> = {
  name: 'report-open',
  lua: `
    local replica, open, limit, ttl = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
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
    if limit > 0 and others + open > limit then return 0 end
    if open == 0 then
      redis.call('HDEL', KEYS[1], replica)
    else
      redis.call('HSET', KEYS[1], replica, string.format('%.0f %.0f', open, now + ttl))
      redis.call('PEXPIRE', KEYS[1], ttl)
    end
    return 1`,
  inMemory(entries, [key = ''], [replica = '', openText, limitText, ttlText]) {
    const [open, limit, ttlMs] = [Number(openText), Number(limitText), Number(ttlText)]
    const now = entries.nowMs()
    const shares = (entries.get(key) as Map<string, { open: number; expiresAtMs: number }> | undefined) ?? new Map()
    let others = 0
    for (const [other, share] of shares) {
      if (other === replica) continue
      if (share.expiresAtMs > now) others += share.open
      else shares.delete(other)
    }
    if (limit > 0 && others + open > limit) return 0
    if (open === 0) shares.delete(replica)
    else shares.set(replica, { open, expiresAtMs: now + ttlMs })
    if (open > 0) entries.set(key, shares, ttlMs)
    return 1
  },
}
