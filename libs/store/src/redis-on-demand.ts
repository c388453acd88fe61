import type { RedisTtlStoreOptions } from './redis-ttl-store.js'
import type { TtlStore } from './ttl-store.js'

/**
 * Resolves once connected. Rejects after five seconds of trying, in one line that names the place. The client is loaded
 * here and not before: that takes a tenth of a second, which a process without a Redis need not wait for.
 */
export const connectRedisTtlStore = async (options: RedisTtlStoreOptions): Promise<TtlStore> => {
  const redis = await import('./redis-ttl-store.js')
  return redis.connectRedisTtlStore(options)
}
