import type { MemoryEntries, StoreScript, TtlStore } from '@parlance/store'
import { type SpeechCache, shareOf } from './speech-cache.js'

/** The approximate size of an entry without its key and its speech. */
const entryBytes = 300

/**
 * The keys of a cache in a store. They share a hash tag, as scripts require. `index` orders the speeches by their last use;
 * `sizes` has the bytes of each, and the total under ''.
 */
const place = {
  index: '{speech-cache}:index',
  sizes: '{speech-cache}:sizes',
  speech: '{speech-cache}:speech:',
} as const

const luaPrelude = `
  local index, sizes, speech = KEYS[1], KEYS[2], KEYS[3]
  local member, ttl_ms = ARGV[1], tonumber(ARGV[2])
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local function used()
    redis.call('ZADD', index, now, member)
    redis.call('PEXPIRE', index, ttl_ms)
    redis.call('PEXPIRE', sizes, ttl_ms)
  end`

/** The index of a store in memory: the speeches in the order of their last use. */
type Index = Map<string, number>
const indexOf = (entries: MemoryEntries): Index => (entries.get(place.index) as Index | undefined) ?? new Map()

/** `(member, lifetime in ms)`: the speech, whose lifetime restarts, or null. */
const recallScript: StoreScript<string | null> = {
  name: 'recall-speech',
  lua: `${luaPrelude}
    local found = redis.call('GET', speech)
    if not found then return false end
    redis.call('PEXPIRE', speech, ttl_ms)
    used()
    return found`,
  inMemory(entries, [, , key = ''], [member = '', ttl]) {
    const found = entries.get(key) as string | undefined
    if (found === undefined) return null
    entries.set(key, found, Number(ttl))
    const index = indexOf(entries)
    const size = index.get(member) ?? 0
    index.delete(member)
    index.set(member, size)
    return found
  },
}

/**
 * `(member, lifetime in ms, speech, its bytes, the maximum total bytes, the prefix of the keys of speeches)`: the current total
 * bytes.
 */
const keepScript: StoreScript<number> = {
  name: 'keep-speech',
  lua: `${luaPrelude}
    local total = tonumber(redis.call('HGET', sizes, '') or '0')
    local function drop(other)
      total = total - tonumber(redis.call('HGET', sizes, other) or '0')
      redis.call('HDEL', sizes, other)
      redis.call('ZREM', index, other)
      redis.call('DEL', ARGV[6] .. other)
    end
    for _, expired in ipairs(redis.call('ZRANGEBYSCORE', index, '-inf', now - ttl_ms)) do drop(expired) end
    drop(member)
    redis.call('SET', speech, ARGV[3], 'PX', ttl_ms)
    redis.call('HSET', sizes, member, ARGV[4])
    total = total + tonumber(ARGV[4])
    used()
    while total > tonumber(ARGV[5]) do drop(redis.call('ZRANGE', index, 0, 0)[1]) end
    redis.call('HSET', sizes, '', string.format('%.0f', total))
    return total`,
  inMemory(entries, [, , key = ''], [member = '', ttl, speech, bytes, most, prefix]) {
    const index = indexOf(entries)
    const drop = (other: string) => {
      index.delete(other)
      entries.delete(`${prefix}${other}`)
    }
    for (const other of [...index.keys()]) if (entries.get(`${prefix}${other}`) === undefined) drop(other)
    drop(member)
    entries.set(key, speech, Number(ttl))
    index.set(member, Number(bytes))
    const total = () => [...index.values()].reduce((sum, size) => sum + size, 0)
    for (const oldest of [...index.keys()]) {
      if (total() <= Number(most)) break
      drop(oldest)
    }
    entries.set(place.index, index)
    return total()
  },
}

interface StoreSpeechCacheOptions {
  readonly store: Pick<TtlStore, 'run'>
  readonly maxBytes: number
  /** A speech without a request for this time is deleted. */
  readonly ttlMs: number
}

/** Creates a cache in a store, shared by all workers. Values are text, so a speech is stored, and counted, as Base64. */
export const createStoreSpeechCache = ({ store, maxBytes, ttlMs }: StoreSpeechCacheOptions): SpeechCache => {
  const keysOf = (member: string) => [place.index, place.sizes, `${place.speech}${member}`]
  const ttl = `${ttlMs}`

  return {
    async get(key) {
      const found = await store.run(recallScript, keysOf(key), [key, ttl])
      return found === null ? undefined : Buffer.from(found, 'base64')
    },
    async put(key, recorded) {
      const speech = Buffer.from(recorded.buffer, recorded.byteOffset, recorded.byteLength).toString('base64')
      const bytes = key.length + speech.length + entryBytes
      if (bytes > shareOf(maxBytes)) return
      await store.run(keepScript, keysOf(key), [key, ttl, speech, `${bytes}`, `${maxBytes}`, place.speech])
    },
  }
}
