import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { giveUp, root } from './installed.mjs'

const debianPackages = { nats: 'nats-server', redis: 'redis-server', postgres: 'postgresql' }

/**
 * Real servers, new and empty, as children on free ports. Postgres does not wait for its disk unless `postgresArgs` say
 * so. Resolves to `{ nats, redis, postgres, env, stop }`.
 */
export const startBackingServers = async ({ postgresArgs = [] } = {}) => {
  if (!existsSync(join(root, 'libs/testing/dist/index.js'))) giveUp('Not built. Run: npm install && npm run build')
  const testing = await import('@parlance/testing')
  const available = testing.availablePrograms()
  const missing = Object.keys(debianPackages).filter((name) => !available.has(name))
  if (missing.length > 0) {
    const packages = missing.map((name) => debianPackages[name]).join(' ')
    giveUp(`${missing.join(', ')} is not installed. Debian: apt-get install ${packages}`)
  }
  // As it is to be run on a few cores, see `deploy/README.md`.
  process.env.GOMAXPROCS ??= '1'
  process.env.GOGC ??= '400'
  const [nats, redis, postgres] = await Promise.all([
    testing.startNatsServer(),
    testing.startRedisServer(),
    testing.startPostgresServer({ args: postgresArgs }),
  ])
  return {
    nats,
    redis,
    postgres,
    env: { NATS_URL: nats.url, REDIS_URL: redis.url, DATABASE_URL: postgres.url },
    async stop() {
      await Promise.all([nats, redis, postgres].map((server) => server.stop()))
    },
  }
}
