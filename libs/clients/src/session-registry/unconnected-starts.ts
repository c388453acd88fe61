/**
 * The rate limit of conversations to which no client connects.
 *
 * - Each such start adds two seconds of debt, which decreases with time. With a debt of one minute (thirty starts) the
 *   workspace cannot start conversations. Starts that connect add nothing.
 * - A start counts only once it has failed to connect, so many may fail at the same time. Debt beyond a minute counts as well,
 *   up to another minute.
 */
import type { StoreScript, TtlStore } from '@parlance/store'

/** Starts of one workspace a minute that may stay unconnected. */
export const maxUnconnectedStartsPerMinute = 30

const minuteMs = 60_000
const owedForStartMs = minuteMs / maxUnconnectedStartsPerMinute
const maxOwedMs = 2 * minuteMs

/**
 * Adds to the debt, which decreases with time, and returns it in ms. Key: the debtor; arguments: the addition and the
 * maximum.
 */
const addOwed: StoreScript<number> = {
  name: 'add-owed',
  lua: `
    local added, most = tonumber(ARGV[1]), tonumber(ARGV[2])
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local untilMs = tonumber(redis.call('GET', KEYS[1]) or '0')
    local owed = math.min(most, math.max(0, untilMs - now) + added)
    if added > 0 then redis.call('SET', KEYS[1], string.format('%.0f', now + owed), 'PX', owed) end
    return owed`,
  inMemory(entries, [key = ''], [added, most]) {
    const now = Math.floor(entries.nowMs())
    const untilMs = (entries.get(key) as number | undefined) ?? 0
    const owed = Math.min(Number(most), Math.max(0, untilMs - now) + Number(added))
    if (Number(added) > 0) entries.set(key, now + owed, owed)
    return owed
  },
}

/** Limits the starts of a workspace that never connect. It counts in the TTL store, so that all gateways count together. */
export const createUnconnectedStarts = ({ ttl }: { ttl: Pick<TtlStore, 'run'> }) => {
  const owedMs = (workspaceId: string, addedMs: number): Promise<number> =>
    ttl.run(addOwed, [`unconnected-starts:{${workspaceId}}`], [String(addedMs), String(maxOwedMs)]).catch(() => 0)

  return {
    /** ms until the workspace may start again; 0 if it may now, or if the store cannot be reached. */
    waitMs: async (workspaceId: string): Promise<number> =>
      Math.max(0, (await owedMs(workspaceId, 0)) + owedForStartMs - minuteMs),
    /** Never rejects: nothing is counted while the store cannot be reached. */
    async add(workspaceId: string): Promise<void> {
      await owedMs(workspaceId, owedForStartMs)
    },
  }
}

export type UnconnectedStarts = ReturnType<typeof createUnconnectedStarts>
