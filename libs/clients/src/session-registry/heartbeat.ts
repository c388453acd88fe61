import type { TtlStore } from '@parlance/store'
import type { SessionRegistry } from './session-registry.js'

export interface Heartbeat {
  /**
   * Whether what the store says of others can be believed: it has been the same one, and has taken every beat, for long
   * enough that whoever lives has told it so. A store that was lost and is back knows nobody at first.
   */
  trusted(): boolean
  /** Says that this instance is gone. */
  stop(): Promise<void>
}

export interface HeartbeatOptions {
  readonly registry: Pick<SessionRegistry, 'beat' | 'leave'>
  readonly instanceId: string
  readonly ttl: Pick<TtlStore, 'epoch'>
  onFailure(error: unknown): void
  readonly now?: () => number
}

const beatEveryMs = 3_000
/** Two beats of anybody else, and some time for each to arrive. */
const trustedAfterMs = 2 * beatEveryMs + 1_000

/** Rejects when the first beat cannot be told. */
export const startHeartbeat = async (options: HeartbeatOptions): Promise<Heartbeat> => {
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
    trusted: () => steadySinceMs !== undefined && epoch === ttl.epoch() && now() - steadySinceMs >= trustedAfterMs,
    async stop() {
      clearInterval(timer)
      await beating
      await registry.leave(instanceId).catch(() => {})
    },
  }
}
