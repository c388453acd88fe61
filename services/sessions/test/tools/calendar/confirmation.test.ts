import { createConfirmation } from '../../../src/tools/calendar/confirmation.js'
import { isNamed } from '../../../src/tools/calendar/named.js'

const heard = 'Shall I cancel your dentist on Monday?'

const setUp = () => {
  const clock = { nowMs: 0 }
  const confirmation = createConfirmation({ language: 'en', now: () => clock.nowMs })
  const proposal = (name: string, cancelling = false) => ({ title: 'Dentist', cancelling, carryOut: async () => name })
  return { clock, confirmation, proposal }
}

test('a proposal is taken by a yes in the turn after it, once', async () => {
  const { confirmation, proposal } = setUp()
  confirmation.propose(proposal('a'), 3)
  const taken = confirmation.take({ turn: 4, said: 'Yes, please.', heard })
  expect('proposal' in taken && (await taken.proposal.carryOut(4))).toBe('a')
  expect(confirmation.take({ turn: 4, said: 'Yes, please.', heard })).toMatchObject({
    refusal: expect.stringMatching(/Nothing is proposed/),
  })
})

test.each([
  ['in the turn in which it was made', { turn: 3, said: 'yes', heard }, /not answered yet/],
  ['in a turn before', { turn: 2, said: 'yes', heard }, /not answered yet/],
  ['a turn too late', { turn: 5, said: 'yes', heard }, /too long ago/],
  ['by a no', { turn: 4, said: 'no', heard }, /not plainly said yes/],
  ['by a yes with a but', { turn: 4, said: 'yes, but on Tuesday', heard }, /not plainly said yes/],
  ['by a yes to another question', { turn: 4, said: 'yes', heard: 'Do you like tea?' }, /have not asked/],
  ['by silence', { turn: 4, said: '', heard }, /not plainly said yes/],
])('a proposal is not taken %s', (_how, answer, why) => {
  const { confirmation, proposal } = setUp()
  confirmation.propose(proposal('a'), 3)
  expect(confirmation.take(answer)).toEqual({ refusal: expect.stringMatching(why) })
})

test('who asked in the turn of the proposal may still be answered after it, and who was refused may not', () => {
  const { confirmation, proposal } = setUp()
  confirmation.propose(proposal('a'), 3)
  confirmation.take({ turn: 3, said: 'yes', heard })
  expect(confirmation.take({ turn: 4, said: 'yes', heard })).toHaveProperty('proposal')
  confirmation.propose(proposal('a'), 5)
  confirmation.take({ turn: 6, said: 'no', heard })
  expect(confirmation.take({ turn: 6, said: 'yes', heard })).toHaveProperty('refusal')
  expect(confirmation.take({ turn: 7, said: 'yes', heard })).toHaveProperty('refusal')
})

test('a proposal holds for two minutes', () => {
  const { clock, confirmation, proposal } = setUp()
  confirmation.propose(proposal('a'), 3)
  clock.nowMs = 120_000
  expect(confirmation.take({ turn: 4, said: 'yes', heard })).toHaveProperty('proposal')
  confirmation.propose(proposal('a'), 4)
  clock.nowMs = 240_001
  expect(confirmation.take({ turn: 5, said: 'yes', heard })).toHaveProperty('refusal')
})

test('the latest proposal stands in place of all before it, and is not confirmed by an answer to those', () => {
  const { confirmation, proposal } = setUp()
  const latest = proposal('b')
  confirmation.propose(proposal('a'), 3)
  confirmation.propose(latest, 4)
  expect(confirmation.take({ turn: 4, said: 'yes', heard })).toHaveProperty('refusal')
  expect(confirmation.take({ turn: 5, said: 'yes', heard })).toEqual({ proposal: latest })
})

test.each([
  ['Dentist', 'Shall I move the DENTIST to Tuesday?', true],
  ['Lunch with Zoë', 'Lunch with Zoe at noon. Is that right?', true],
  ['Lunch with Zoë', 'Lunch?', false],
  ['Team meeting', 'The meeting on Tuesday, shall I?', true],
  ['歯医者', '歯医者の予約を取り消しますか', true],
  ['Dentist', 'How are you?', false],
  ['Dentist', '', false],
])('an event is named where half of its title is heard: %s in %j', (title, words, named) => {
  expect(isNamed(title, words)).toBe(named)
})
