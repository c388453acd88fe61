import { ServiceError } from '@parlance/contracts'
import { createMemoryTtlStore } from '@parlance/store'
import { createRateLimiter } from '../src/authentication/rate-limiter.js'
import { createStreamAdmission, type StreamAdmissionOptions } from '../src/stream/stream-admission.js'
import { createStreamSlots } from '../src/stream/stream-slots.js'

const grant = {
  workspace_id: '5f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
  key_id: '7a0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
  voice_id: null,
  max_characters: null,
  expires_at: '2026-01-31T09:45:00.000Z',
}
const workspace = { capabilities: ['tts' as const], suspended: false, max_concurrent_streams: 1 }

/** A token may be consumed once. `options` replace a part. */
const openAdmission = (options: Partial<StreamAdmissionOptions<typeof grant>> = {}) => {
  const consumed: string[] = []
  const admission = createStreamAdmission({
    capability: 'tts',
    checkToken: async () => grant,
    consumeToken: async ({ token }) => {
      if (consumed.includes(token)) throw new ServiceError('stream_token_invalid', 'It was used.')
      consumed.push(token)
      return grant
    },
    auth: { getKeyWorkspace: async () => workspace as never },
    credit: { requireCredit: async () => ({}) },
    limitRate: async () => undefined,
    slots: createStreamSlots({ ttl: createMemoryTtlStore(), instanceId: 'one' }),
    ...options,
  })
  const open = async (token: string) => admission.admit(token, await admission.check(token, 'request'), 'request')
  return { open, consumed }
}

test('a stream that is refused by the rate, the credit or the number of streams leaves its token usable', async () => {
  let hasCredit = false
  const { open, consumed } = openAdmission({
    limitRate: createRateLimiter({ ttl: createMemoryTtlStore(), perMinute: 3 }),
    credit: {
      requireCredit: async () => {
        if (!hasCredit) throw new ServiceError('insufficient_credit', 'There is no credit.')
        return {}
      },
    },
  })
  await expect(open('a')).rejects.toMatchObject({ code: 'insufficient_credit' })
  hasCredit = true
  const release = await open('a')
  await expect(open('b')).rejects.toMatchObject({ code: 'concurrency_limited' })
  release()
  await expect(open('b')).rejects.toMatchObject({ code: 'rate_limited' })
  expect(consumed).toEqual(['a'])
})

test('a stream that is refused releases its slot, also when its token was used', async () => {
  const { open } = openAdmission()
  const release = await open('a')
  release()
  await expect(open('a')).rejects.toMatchObject({ code: 'stream_token_invalid' })
  await open('b')
})

test('a stream is admitted in three steps: its token, its workspace with rate, credit and slot, and the consumption of its token', async () => {
  const asked: string[] = []
  const waiting: (() => void)[] = []
  const step = <Result>(name: string, result: Result) => {
    asked.push(name)
    return new Promise<Result>((resolve) => waiting.push(() => resolve(result)))
  }
  const { open } = openAdmission({
    checkToken: () => step('check', grant),
    consumeToken: () => step('consume', grant),
    auth: { getKeyWorkspace: () => step('workspace', workspace as never) },
    credit: { requireCredit: () => step('credit', {}) },
    limitRate: () => step('rate', undefined),
    slots: { take: () => step('slot', { check: () => {}, release: () => {} }) },
  })
  const opened = open('a')
  const steps: string[] = []
  while (asked.length > 0) {
    steps.push(asked.splice(0).sort().join(' '))
    for (const answer of waiting.splice(0)) answer()
    await new Promise(setImmediate)
  }
  await opened
  expect(steps).toEqual(['check', 'credit rate slot workspace', 'consume'])
})
