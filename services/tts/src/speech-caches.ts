import { type Platform, StartupError } from '@parlance/runtime'
import { createMemorySpeechCache } from './cache/memory-speech-cache.js'
import { shareOf } from './cache/speech-cache.js'
import { createSpeechMemory, type SpeechMemory } from './cache/speech-memory.js'
import { createStoreSpeechCache } from './cache/store-speech-cache.js'
import type { EnginesConfig } from './engines-config.js'

/** The caches of speech that was synthesized before. */
export interface SpeechCaches {
  readonly memory: SpeechMemory
  /** Whether speech that is meant for one person is cached too. */
  readonly includesPrivate: boolean
}

const mebibyte = 1024 * 1024
const hourMs = 3_600_000

/** Opens the configured caches. Resolves to undefined when none is configured. */
export const openSpeechCaches = async (
  { cache: { megabytes, private: includesPrivate, redis }, place }: Pick<EnginesConfig, 'cache' | 'place'>,
  { metrics, openSharedStore }: Pick<Platform, 'metrics' | 'openSharedStore'>,
): Promise<SpeechCaches | undefined> => {
  if (megabytes === 0 && redis === undefined) return undefined
  const store = redis && (await openSharedStore())
  if (redis !== undefined && store === undefined) {
    throw new StartupError([`${place}: cache.redis: REDIS_URL is not set. Set it, or leave this out.`])
  }
  const shared =
    store &&
    createStoreSpeechCache({ store, maxBytes: redis.megabytes * mebibyte, ttlMs: Math.ceil(redis.hours * hourMs) })
  const memory = createSpeechMemory({
    memory: createMemorySpeechCache(megabytes * mebibyte, metrics.ttsCacheBytes),
    shared,
    maxSpeechBytes: shareOf(Math.max(megabytes, redis?.megabytes ?? 0) * mebibyte),
    onOutcome: metrics.ttsCache,
  })
  return { memory, includesPrivate }
}
