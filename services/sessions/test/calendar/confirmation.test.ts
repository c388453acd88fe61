import { createConfirmation } from '../../src/calendar/confirmation.js'

const setUp = () => {
  const clock = { nowMs: 0 }
  const confirmation = createConfirmation({ language: 'en', now: () => clock.nowMs })
  const proposal = (name: string, cancelling = false) => ({ cancelling, carryOut: async () => name })
  return { clock, confirmation, proposal }
}

test('a proposal is taken by a yes in the turn after it, once', async () => {
  const { confirmation, proposal } = setUp()
  confirmation.propose(proposal('a'), 3)
  const taken = confirmation.take({ turn: 4, said: 'Yes, please.' })
  expect('proposal' in taken && (await taken.proposal.carryOut(4))).toBe('a')
  expect(confirmation.take({ turn: 4, said: 'Yes, please.' })).toMatchObject({
    refusal: expect.stringMatching(/Nothing is proposed/),
  })
})

test.each([
  ['in the turn in which it was made', { turn: 3, said: 'yes' }, /not answered yet/],
  ['in a turn before', { turn: 2, said: 'yes' }, /not answered yet/],
  ['a turn too late', { turn: 5, said: 'yes' }, /too long ago/],
  ['by a no', { turn: 4, said: 'no' }, /not plainly said yes/],
  ['by a yes with a but', { turn: 4, said: 'yes, but on Tuesday' }, /not plainly said yes/],
  ['by silence', { turn: 4, said: '' }, /not plainly said yes/],
])('a proposal is not taken %s', (_how, answer, why) => {
  const { confirmation, proposal } = setUp()
  confirmation.propose(proposal('a'), 3)
  expect(confirmation.take(answer)).toEqual({ refusal: expect.stringMatching(why) })
})

test('who asked in the turn of the proposal may still be answered after it, and who was refused may not', () => {
  const { confirmation, proposal } = setUp()
  confirmation.propose(proposal('a'), 3)
  confirmation.take({ turn: 3, said: 'yes' })
  expect(confirmation.take({ turn: 4, said: 'yes' })).toHaveProperty('proposal')
  confirmation.propose(proposal('a'), 5)
  confirmation.take({ turn: 6, said: 'no' })
  expect(confirmation.take({ turn: 6, said: 'yes' })).toHaveProperty('refusal')
  expect(confirmation.take({ turn: 7, said: 'yes' })).toHaveProperty('refusal')
})

test('a proposal holds for two minutes', () => {
  const { clock, confirmation, proposal } = setUp()
  confirmation.propose(proposal('a'), 3)
  clock.nowMs = 120_000
  expect(confirmation.take({ turn: 4, said: 'yes' })).toHaveProperty('proposal')
  confirmation.propose(proposal('a'), 4)
  clock.nowMs = 240_001
  expect(confirmation.take({ turn: 5, said: 'yes' })).toHaveProperty('refusal')
})

test('the latest proposal stands in place of all before it, and is not confirmed by an answer to those', () => {
  const { confirmation, proposal } = setUp()
  const latest = proposal('b')
  confirmation.propose(proposal('a'), 3)
  confirmation.propose(latest, 4)
  expect(confirmation.take({ turn: 4, said: 'yes' })).toHaveProperty('refusal')
  expect(confirmation.take({ turn: 5, said: 'yes' })).toEqual({ proposal: latest })
})
