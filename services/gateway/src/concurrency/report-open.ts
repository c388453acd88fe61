import type { StoreScript } from '@parlance/store'

/**
 * Writes how many one replica has open of what all replicas share a limit for, unless that would go beyond the limit.
 * Answers 1 when it was written, else 0. Key: what is counted; arguments: the replica, how many it has open, the limit (0
 * for none), how long the figure is good for in ms.
 *
 * The figure is the whole of what the replica has, not a change: writing it again corrects whatever was lost, and the share
 * of a replica that has died runs out.
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
