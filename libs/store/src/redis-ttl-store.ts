import type { RedisClient } from './redis-client.js'
import { RedisConnection, type RedisConnectionOptions } from './redis-connection.js'
import { createRedisScripts } from './redis-scripts.js'
import { observeCommand, type StoreTelemetry } from './store-telemetry.js'
import type { TtlStore } from './ttl-store.js'

export interface RedisTtlStoreOptions extends RedisConnectionOptions {
  readonly telemetry?: StoreTelemetry
}

/** Resolves once connected. Rejects with `UnreachableError` after five seconds, with one line that names the address. */
export const connectRedisTtlStore = async ({
  url,
  onStateChange,
  telemetry = {},
}: RedisTtlStoreOptions): Promise<TtlStore> => {
  if (!URL.canParse(url)) throw new Error('The address of Redis is not a URL such as redis://127.0.0.1:6379.')
  const connection = await RedisConnection.open({ url, onStateChange })
  const command = <Reply>(operation: string, run: (redis: RedisClient) => Promise<Reply>): Promise<Reply> =>
    observeCommand(telemetry, { system: 'redis', operation }, () => connection.send(run))
  const expiring = (ttlMs: number) => ({ expiration: { type: 'PX', value: ttlMs } }) as const
  const scripts = createRedisScripts()
  return {
    get: (key) => command('GET', (redis) => redis.get(key)),
    async set(key, value, ttlMs) {
      await command('SET', (redis) => redis.set(key, value, expiring(ttlMs)))
    },
    setIfAbsent: async (key, value, ttlMs) =>
      (await command('SET', (redis) => redis.set(key, value, { ...expiring(ttlMs), condition: 'NX' }))) !== null,
    take: (key) => command('GETDEL', (redis) => redis.getDel(key)),
    async delete(key) {
      await command('DEL', (redis) => redis.del(key))
    },
    run: (script, keys, args = []) => command('EVALSHA', (redis) => scripts.run(redis, script, keys, args)),
    epoch: () => connection.epoch,
    connected: () => connection.isConnected,
    async close() {
      connection.close()
    },
  }
}
