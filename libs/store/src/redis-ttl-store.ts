import { createHash } from 'node:crypto'
import { ErrorReply } from 'redis'
import { type RedisClient, RedisConnection, type RedisConnectionOptions } from './redis-connection.js'
import { observeCommand, type StoreTelemetry } from './store-telemetry.js'
import type { ScriptReply, StoreScript, TtlStore } from './ttl-store.js'

/**
 * Runs scripts by their digest, and sends the whole script where Redis does not have it. The client's own support needs all
 * scripts when it is created; those of a store come with each call.
 */
const createRedisScripts = () => {
  const digests = new Map<string, string>()
  const digestOf = (lua: string): string => {
    const known = digests.get(lua)
    if (known !== undefined) return known
    const digest = createHash('sha1').update(lua).digest('hex')
    digests.set(lua, digest)
    return digest
  }

  return {
    async run<Reply extends ScriptReply>(
      redis: RedisClient,
      { lua }: StoreScript<Reply>,
      keys: readonly string[],
      args: readonly string[],
    ): Promise<Reply> {
      const input = { keys: [...keys], arguments: [...args] }
      try {
        return (await redis.evalSha(digestOf(lua), input)) as Reply
      } catch (error) {
        if (!(error instanceof ErrorReply) || !error.message.startsWith('NOSCRIPT')) throw error
        return (await redis.eval(lua, input)) as Reply
      }
    },
  }
}

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
