import type { StoreScript } from '@parlance/store'

/**
 * Puts a text in the place of the one that is expected there, for so many ms, and does nothing when another is there or
 * none: 1 when it did, else 0. Without the last two arguments the text is taken away.
 */
export const replaceIfSame: StoreScript<number> = {
  name: 'replace-if-same',
  lua: `
    if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    if ARGV[2] then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) else redis.call('DEL', KEYS[1]) end
    return 1`,
  inMemory(entries, [key = ''], [expected, text, ttlMs]) {
    if (entries.get(key) !== expected) return 0
    if (text === undefined) entries.delete(key)
    else entries.set(key, text, Number(ttlMs))
    return 1
  },
}
