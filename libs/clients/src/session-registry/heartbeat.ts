import type { TtlStore } from '@parlance/store'
import type { SessionRegistry } from './session-registry.js'

interface HeartbeatOptions {
  readonly registry: Pick<SessionRegistry, 'beat' | 'leave'>
  readonly instanceId: string
  readonly ttl: Pick<TtlStore, 'epoch'>
  onFailure(error: unknown): void
  readonly now?: () => number
}

const beatEveryMs = 3_000
/** Two beats of any other instance, and time for them to arrive. */
const trustedAfterMs = 2 * beatEveryMs + 1_000

/** The heartbeat of this instance in the session registry. Rejects when the first beat cannot be written. */
export const startHeartbeat = async (options: HeartbeatOptions) => {
  const { registry, instanceId, ttl, onFailure, now = () => performance.now() } = options
  let steadySinceMs: number | undefined
  let epoch = ttl.epoch()

  const beat = async () => {
    await registry.beat(instanceId)
    if (epoch !== ttl.epoch()) steadySinceMs = undefined
    epoch = ttl.epoch()
    steadySinceMs ??= now()
  }
  await beat()
  let beating = Promise.resolve()
  const timer = setInterval(() => {
    beating = beat().catch((error: unknown) => {
      steadySinceMs = undefined
      onFailure(error)
    })
  }, beatEveryMs)

  return {
    /**
     * Whether the store knows all other instances: its epoch has not changed, and it has accepted every beat, for long enough
     * that every live instance has sent a heartbeat. A store that returns after a loss contains no heartbeats at first.
     */
    trusted: (): boolean =>
      steadySinceMs !== undefined && epoch === ttl.epoch() && now() - steadySinceMs >= trustedAfterMs,
    /** Removes this instance from the registry. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await beating
      await registry.leave(instanceId).catch(() => {})
    },
  }
}

export type Heartbeat = Awaited<ReturnType<typeof startHeartbeat>>
