import { ServiceError } from '@parlance/contracts'
import type { StoreScript, TtlStore } from '@parlance/store'

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

export type StreamSlots = ReturnType<typeof createStreamSlots>

interface StreamSlotsOptions {
  readonly ttl: Pick<TtlStore, 'run'>
  /** Unique among running processes. */
  readonly instanceId: string
}

const renewEveryMs = 5_000
/** The slots of a killed replica are released after this time. */
const shareTtlMs = 3 * renewEveryMs

/** Counts the open streams of each workspace, across all replicas that share a store. */
export const createStreamSlots = ({ ttl, instanceId }: StreamSlotsOptions) => {
  const open = new Map<string, number>()

  const change = (workspaceId: string, by: 1 | -1): void => {
    const count = (open.get(workspaceId) ?? 0) + by
    if (count === 0) open.delete(workspaceId)
    else open.set(workspaceId, count)
  }

  /** Resolves with the sum over all replicas, or 0 while the store cannot be reached: a limit must not stop the service. */
  const report = (workspaceId: string): Promise<number> => {
    const args = [instanceId, String(open.get(workspaceId) ?? 0), String(shareTtlMs)]
    return ttl.run(reportOpen, [`streams:{${workspaceId}}`], args).catch(() => 0)
  }

  const timer = setInterval(() => {
    for (const workspaceId of open.keys()) void report(workspaceId)
  }, renewEveryMs)
  timer.unref()

  return {
    /**
     * Counts a stream, whose limit need not be known yet. A slot that is over the limit counts until it is released. While
     * the store cannot be reached, no slot is over a limit.
     */
    async take(workspaceId: string) {
      change(workspaceId, 1)
      const count = await report(workspaceId)
      let isReleased = false
      return {
        /** Throws `concurrency_limited` when the workspace had `limit` other streams open; 0 is no limit. */
        check(limit: number): void {
          if (limit === 0 || count <= limit) return
          throw new ServiceError(
            'concurrency_limited',
            `This workspace has ${limit} open streams, which is the limit. Try again when one has ended.`,
          )
        },
        release(): void {
          if (isReleased) return
          isReleased = true
          change(workspaceId, -1)
          void report(workspaceId)
        },
      }
    },
    /** Releases all slots. */
    async stop(): Promise<void> {
      clearInterval(timer)
      const workspaceIds = [...open.keys()]
      open.clear()
      await Promise.all(workspaceIds.map((workspaceId) => report(workspaceId)))
    },
  }
}
