import { reasonOf } from '@parlance/runtime/process'
import { inspectPostgres, inspectRedis } from '@parlance/store'
import { type CheckContext, error, type Finding, ok, skipped, warning } from '../check.js'

interface Clock {
  readonly clockMs: number
  readonly ownClockMs: number
}

/** Tokens are valid for minutes, so a second is harmless. With half a minute, new tokens are refused. */
const noticedMs = 1_000
const harmfulMs = 30_000

const useTimeServer = 'Let both machines take their time from the same server (NTP).'

/** The finding for a difference between two clocks. */
export const clockFinding = (server: string, { clockMs, ownClockMs }: Clock): Finding => {
  const aheadMs = clockMs - ownClockMs
  const differenceMs = Math.abs(aheadMs)
  if (differenceMs < noticedMs) return ok(`The clock of ${server} differs by ${Math.round(differenceMs)} ms.`)
  const found = `The clock of ${server} is ${(differenceMs / 1000).toFixed(1)} s ${aheadMs > 0 ? 'ahead' : 'behind'}.`
  return differenceMs < harmfulMs ? warning(found, useTimeServer) : error(found, useTimeServer)
}

const compare = async (server: string, read: Promise<Clock>): Promise<Finding> =>
  read.then(
    (clock) => clockFinding(server, clock),
    (problem: unknown) => skipped(`The clock of ${server} cannot be read: ${reasonOf(problem)}.`),
  )

/** Compares the clock of this machine with those of Redis and Postgres. */
export const checkClocks = async ({ environment }: CheckContext): Promise<Finding[]> => {
  const { REDIS_URL: redis, DATABASE_URL: postgres } = environment
  const compared = await Promise.all([
    ...(redis ? [compare('Redis', inspectRedis(redis))] : []),
    ...(postgres ? [compare('Postgres', inspectPostgres(postgres, []))] : []),
  ])
  return compared.length > 0 ? compared : [skipped('There is no server to compare the clock with.')]
}
