import type { RedisTtlStoreOptions } from './redis-ttl-store.js'
import type { TtlStore } from './ttl-store.js'

/**
 * Resolves once connected. Rejects after five seconds, with one line that names the address. The client is loaded here:
 * loading takes a tenth of a second, which a process without Redis does not spend.
 */
export const connectRedisTtlStore = async (options: RedisTtlStoreOptions): Promise<TtlStore> => {
  const redis = await import('./redis-ttl-store.js')
  return redis.connectRedisTtlStore(options)
}
