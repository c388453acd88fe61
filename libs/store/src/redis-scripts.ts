import { createHash } from 'node:crypto'
import { ErrorReply } from 'redis'
import type { RedisClient } from './redis-client.js'
import type { ScriptReply, StoreScript } from './store-script.js'

/**
 * Runs scripts by their digest, and sends the whole script where Redis does not have it. The client's own support needs all
 * scripts when it is created; those of a store come with each call.
 */
export const createRedisScripts = () => {
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
