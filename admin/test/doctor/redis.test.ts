import { describeWithPrograms, freePort, startRedisServer } from '@parlance/testing'
import { checkRedis, redisFindings } from '../../src/doctor/checks/redis.js'
import { createContext, expectFinding, expectFine } from './check-context.js'

const check = (REDIS_URL: string) => checkRedis(createContext({ environment: { REDIS_URL } }))

const right = {
  version: '7.2.4',
  role: 'master',
  appendOnly: true,
  saveRules: '',
  persists: true,
  evictionPolicy: 'noeviction',
  clockMs: 0,
  ownClockMs: 0,
}

test.each([
  ['an old version', { version: '6.0.16' }, /is 6\.0\.16/],
  ['a replica', { role: 'slave' }, /is a replica/],
  ['a failed write', { persists: false }, /last write to the disk failed/],
  ['nothing on the disk', { appendOnly: false }, /stores nothing on the disk/],
  ['eviction', { evictionPolicy: 'allkeys-lru' }, /maxmemory-policy allkeys-lru/],
])('%s is an error', (_name, planted, found) => {
  expectFine(redisFindings('redis:6379', right))
  expectFinding(redisFindings('redis:6379', { ...right, ...planted }), 'error', found)
})

test('save rules are enough, and hidden ones are a warning', () => {
  expectFine(redisFindings('redis:6379', { ...right, appendOnly: false, saveRules: '3600 1' }))
  const hidden = redisFindings('redis:6379', { ...right, appendOnly: false, saveRules: undefined })
  expectFinding(hidden, 'warning', /hides its save rules/)
})

test('npm start has no Redis to check', async () => {
  expectFinding(await checkRedis(createContext()), 'skipped', /REDIS_URL is not set/)
})

describeWithPrograms(['redis'], 'a real Redis', () => {
  test('is fine with an append-only file, and has two errors as a cache', async () => {
    const [durable, cache] = await Promise.all([
      startRedisServer({ args: ['--appendonly', 'yes'] }),
      startRedisServer({ args: ['--maxmemory', '64mb', '--maxmemory-policy', 'volatile-lru'] }),
    ])
    try {
      const findings = await check(durable.url)
      expectFine(findings)
      expectFinding(findings, 'ok', /^Redis \d+\.\d+\.\d+ at redis:\/\/127\.0\.0\.1:\d+ answers/)
      const wrong = await check(cache.url)
      expectFinding(wrong, 'error', /stores nothing on the disk/)
      expectFinding(wrong, 'error', /maxmemory-policy volatile-lru/)
    } finally {
      await Promise.all([durable.stop(), cache.stop()])
    }
  })

  test('that cannot be reached is an error without the password', async () => {
    const findings = await check(`redis://:hunter2@127.0.0.1:${await freePort()}`)
    expectFinding(findings, 'error', /^No connection to Redis at redis:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/)
    expect(JSON.stringify(findings)).not.toContain('hunter2')
  })
})
