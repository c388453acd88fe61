import type { StoreScript } from '@parlance/store'

/**
 * Replaces the value of a key when it equals the expected value, and returns 1; else does nothing and returns 0. Arguments:
 * the expected value, the new value, its lifetime in ms. Without the last two, the key is deleted.
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
