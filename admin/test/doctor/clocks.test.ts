import { describeWithPrograms, startRedisServer } from '@parlance/testing'
import { checkClocks, clockFinding } from '../../src/doctor/checks/clocks.js'
import { createContext, expectFinding, expectFine } from './check-context.js'

test.each([
  [-5, 'ok', /differs by 5 ms/],
  [2_500, 'warning', /is 2\.5 s ahead/],
  [-40_000, 'error', /is 40\.0 s behind/],
] as const)('a clock that is %i ms ahead is %s', (aheadMs, status, found) => {
  expectFinding([clockFinding('Redis', { clockMs: 1_000_000 + aheadMs, ownClockMs: 1_000_000 })], status, found)
})

test('without a server there is no clock to compare', async () => {
  expectFinding(await checkClocks(createContext()), 'skipped', /no server to compare the clock with/)
})

describeWithPrograms(['redis'], 'a Redis on this machine', () => {
  test('has the same clock', async () => {
    const redis = await startRedisServer()
    try {
      const findings = await checkClocks(createContext({ environment: { REDIS_URL: redis.url } }))
      expectFine(findings)
      expectFinding(findings, 'ok', /^The clock of Redis differs by \d+ ms/)
    } finally {
      await redis.stop()
    }
  })
})
