import { availableServers, type ServerName } from './installed-binaries.js'

const debianPackages: Record<ServerName, string> = {
  nats: 'nats-server',
  redis: 'redis-server',
  postgres: 'postgresql',
}

/**
 * A `describe` whose tests need real servers. Where one is not installed the suite says so in one line and passes, so
 * that a laptop can run the rest; under `CI=true` it fails, so that no build is green for want of a server.
 */
export const describeWithServers = (needed: readonly ServerName[], name: string, suite: () => void): void => {
  const available = availableServers()
  const missing = needed.filter((server) => !available.has(server)).map((server) => debianPackages[server])
  if (missing.length === 0) {
    describe(name, suite)
    return
  }
  const note = `needs ${missing.join(', ')} on this machine (Debian: apt-get install ${missing.join(' ')})`
  if (process.env.CI === 'true') {
    test(name, () => {
      throw new Error(`"${name}" ${note}; with CI=true nothing may be left out.`)
    })
    return
  }
  process.stderr.write(`not run: "${name}" ${note}\n`)
  test(`${name}: not run here, ${note}`, () => {})
}
