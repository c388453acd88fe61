import { reasonOf, withoutCredentials } from '@parlance/runtime/process'
import { inspectRedis, type RedisState } from '@parlance/store'
import { type CheckContext, error, type Finding, isOlder, ok, skipped, warning } from '../check.js'

/** The first version with every command that is used. */
const minVersion = '6.2.0'

const persistenceFinding = ({ appendOnly, saveRules, persists }: RedisState): Finding => {
  const advice = 'Set `appendonly yes` in its configuration.'
  if (!persists) return error('Its last write to the disk failed.', 'Free space on its disk; its log has the reason.')
  if (appendOnly) return ok('It writes an append-only file.')
  if (saveRules === undefined) return warning('It keeps no append-only file, and hides its save rules.', advice)
  if (saveRules === '') return error('It stores nothing on the disk: a restart loses live tokens and limits.', advice)
  return ok(`It saves all data by the rules "${saveRules}"; a crash loses later writes.`)
}

const evictionFinding = ({ evictionPolicy }: RedisState): Finding =>
  evictionPolicy === 'noeviction'
    ? ok('It evicts no keys (maxmemory-policy noeviction).')
    : error(
        `It removes keys when its memory is full (maxmemory-policy ${evictionPolicy}).`,
        'Set `maxmemory-policy noeviction` in its configuration.',
      )

/** The findings for the state of a Redis. */
export const redisFindings = (place: string, state: RedisState): Finding[] => [
  isOlder(state.version, minVersion)
    ? error(`Redis at ${place} is ${state.version}.`, 'Install Redis 6.2 or later.')
    : ok(`Redis ${state.version} at ${place} answers.`),
  ...(state.role === 'master'
    ? []
    : [error('It is a replica, which refuses writes.', 'Let REDIS_URL name the primary server.')]),
  persistenceFinding(state),
  evictionFinding(state),
]

/** Checks the version, persistence and eviction of Redis. */
export const checkRedis = async ({ environment: { REDIS_URL: url } }: CheckContext): Promise<Finding[]> => {
  if (!url) return [skipped('REDIS_URL is not set; npm start keeps expiring data in its own memory.')]
  const place = withoutCredentials(url)
  try {
    return redisFindings(place, await inspectRedis(url))
  } catch (problem) {
    return [error(`No connection to Redis at ${place}: ${reasonOf(problem)}.`, 'Start it, or correct REDIS_URL.')]
  }
}
