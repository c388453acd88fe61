import { parseCredit, type ReserveRequest } from '@parlance/clients/credit'
import { ServiceError, type Usage } from '@parlance/contracts'
import fc from 'fast-check'
import { vi } from 'vitest'
import { openSessionAccount } from '../../src/conversation/session-account.js'

interface Ended {
  readonly reservedNano: bigint
  readonly chargedNano: bigint
  readonly usage: Usage | undefined
}

/** Credit that is there until it is `spent`; what becomes of every hold is in `ended`. */
const createReserver = () => {
  const state = { held: [] as bigint[], ended: [] as Ended[], failure: undefined as ServiceError | undefined }
  return {
    state,
    async reserve({ amountNano }: ReserveRequest) {
      if (state.failure !== undefined) throw state.failure
      state.held.push(amountNano)
      const end = (chargedNano: bigint, usage?: Usage) => {
        if (chargedNano > amountNano) throw new RangeError('more than is held')
        state.ended.push({ reservedNano: amountNano, chargedNano, usage })
      }
      return { reservation: {} as never, settle: end, release: () => end(0n) }
    },
  }
}

const open = async (creditPerMinute = '0.05') => {
  const reserver = createReserver()
  const beganMs = performance.now()
  const state = { outOfCreditAtMs: [] as number[] }
  const account = await openSessionAccount({
    reserver,
    workspaceId: 'w',
    keyId: 'k',
    agentId: 'a',
    creditPerMinute,
    onInsufficientCredit: () => state.outOfCreditAtMs.push(performance.now() - beganMs),
  })
  /** Time goes on, in steps, so that what is due in between is done in between. */
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 500) {
      const step = Math.min(left, 500)
      await vi.advanceTimersByTimeAsync(step)
    }
  }
  return { account, ...reserver.state, reserver: reserver.state, state, pass }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('half a minute is reserved at the beginning, and a client that is never ready pays nothing', async () => {
  const { account, held, ended } = await open()
  expect(held).toEqual([parseCredit('0.025')])
  account.close()
  expect(ended).toEqual([{ reservedNano: parseCredit('0.025'), chargedNano: 0n, usage: undefined }])
  expect(account.chargedNano()).toBe(0n)
})

test('the next block is reserved before the last runs out, and the time that has passed is charged', async () => {
  const { account, held, ended, pass } = await open()
  account.start()
  await pass(19_500)
  expect(held).toHaveLength(1)
  await pass(1_000)
  expect(held).toHaveLength(2)
  await pass(12_000)
  expect(ended).toMatchObject([
    {
      chargedNano: parseCredit('0.025'),
      usage: { kind: 'session', key_id: 'k', agent_id: 'a', quantities: { session_seconds: 30 } },
    },
  ])
  account.close()
  expect(account.chargedNano()).toBe(27_083_334n)
})

test('all charges together are the price of the time, rounded up once, however long it was', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 200_000 }),
      fc.constantFrom('0.05', '0.000000001', '0', '1', '0.123456789'),
      async (ms, price) => {
        const { account, ended, pass } = await open(price)
        account.start()
        await pass(ms)
        account.close()
        const due = (parseCredit(price) * BigInt(ms) + 59_999n) / 60_000n
        expect(account.chargedNano()).toBe(due)
        expect(ended.reduce((sum, { chargedNano }) => sum + chargedNano, 0n)).toBe(due)
        const seconds = ended.reduce((sum, { usage }) => sum + (usage?.quantities.session_seconds ?? 0), 0)
        expect(seconds).toBeCloseTo(ms / 1000, 6)
      },
    ),
    { numRuns: 20 },
  )
})

test('without credit for the next block onInsufficientCredit is called while ten seconds are still reserved', async () => {
  const { account, reserver, state, pass } = await open()
  account.start()
  reserver.failure = new ServiceError('insufficient_credit', 'None.')
  await pass(29_000)
  expect(state.outOfCreditAtMs).toEqual([20_000])
  account.close()
  expect(account.chargedNano()).toBe((parseCredit('0.05') * 29n) / 60n + 1n)
})

test('time while the credit service cannot be reached is part of the next block', async () => {
  const { account, reserver, state, ended, pass } = await open()
  account.start()
  reserver.failure = new ServiceError('unavailable', 'Later.')
  await pass(50_000)
  reserver.failure = undefined
  await pass(2_000)
  account.close()
  expect(state.outOfCreditAtMs).toEqual([])
  expect(account.chargedNano()).toBe((parseCredit('0.05') * 52n + 59n) / 60n)
  expect(ended).toHaveLength(2)
})

test('usage of recognition and of the model is settled with the block in which it came', async () => {
  const { account, ended, pass } = await open()
  account.start()
  account.used({ stt_seconds: 1.5, llm_input_tokens: 10 })
  account.used({ llm_input_tokens: 5, llm_output_tokens: 3, tts_characters: 99 })
  await pass(31_000)
  account.used({ llm_output_tokens: 4 })
  account.close()
  expect(ended.map(({ usage }) => usage?.quantities)).toEqual([
    { stt_seconds: 1.5, llm_input_tokens: 15, llm_output_tokens: 3, session_seconds: 30 },
    { stt_seconds: 0, llm_input_tokens: 0, llm_output_tokens: 4, session_seconds: 1 },
  ])
})

test('a reservation that is made after the end is released', async () => {
  const { account, held, ended, pass } = await open()
  account.start()
  await pass(5_000)
  account.close()
  account.close()
  await pass(60_000)
  expect(held).toHaveLength(1)
  expect(ended).toHaveLength(1)
})
