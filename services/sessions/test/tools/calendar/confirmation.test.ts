import { vi } from 'vitest'
import { createConfirmation, namesEvent } from '../../../src/tools/calendar/confirmation.js'

const playedText = 'Shall I cancel your dentist on Monday?'

afterEach(() => vi.restoreAllMocks())

const setUp = () => {
  const clock = { nowMs: 0 }
  vi.spyOn(performance, 'now').mockImplementation(() => clock.nowMs)
  const confirmation = createConfirmation('en')
  const proposal = (name: string, cancelling = false) => ({ title: 'Dentist', cancelling, carryOut: async () => name })
  return { clock, confirmation, proposal }
}

test.each([
  ['in the turn in which it was made', { turn: 3, userText: 'yes', playedText }, /not answered yet/],
  ['in a turn before', { turn: 2, userText: 'yes', playedText }, /not answered yet/],
  ['a turn too late', { turn: 5, userText: 'yes', playedText }, /too long ago/],
  ['by a no', { turn: 4, userText: 'no', playedText }, /not plainly said yes/],
  ['by a yes with a but', { turn: 4, userText: 'yes, but on Tuesday', playedText }, /not plainly said yes/],
  ['by a yes to another question', { turn: 4, userText: 'yes', playedText: 'Do you like tea?' }, /have not asked/],
  ['by silence', { turn: 4, userText: '', playedText }, /not plainly said yes/],
])('a proposal is not confirmed %s', (_how, answer, why) => {
  const { confirmation, proposal } = setUp()
  confirmation.propose(proposal('a'), 3)
  expect(confirmation.take(answer)).toEqual({ refusal: expect.stringMatching(why) })
})

test('a yes in the next turn still counts after one that came too early, but not after a no', () => {
  const { confirmation, proposal } = setUp()
  confirmation.propose(proposal('a'), 3)
  confirmation.take({ turn: 3, userText: 'yes', playedText })
  expect(confirmation.take({ turn: 4, userText: 'yes', playedText })).toHaveProperty('proposal')
  confirmation.propose(proposal('a'), 5)
  confirmation.take({ turn: 6, userText: 'no', playedText })
  expect(confirmation.take({ turn: 6, userText: 'yes', playedText })).toHaveProperty('refusal')
  expect(confirmation.take({ turn: 7, userText: 'yes', playedText })).toHaveProperty('refusal')
})

test('a proposal is valid for two minutes', () => {
  const { clock, confirmation, proposal } = setUp()
  confirmation.propose(proposal('a'), 3)
  clock.nowMs = 120_000
  expect(confirmation.take({ turn: 4, userText: 'yes', playedText })).toHaveProperty('proposal')
  confirmation.propose(proposal('a'), 4)
  clock.nowMs = 240_001
  expect(confirmation.take({ turn: 5, userText: 'yes', playedText })).toHaveProperty('refusal')
})

test.each([
  ['Dentist', 'Shall I move the DENTIST to Tuesday?', true],
  ['Lunch with Zoë', 'Lunch with Zoe at noon. Is that right?', true],
  ['Lunch with Zoë', 'Lunch?', false],
  ['Team meeting', 'The meeting on Tuesday, shall I?', true],
  ['歯医者', '歯医者の予約を取り消しますか', true],
  ['Dentist', 'How are you?', false],
  ['Dentist', '', false],
])('a text names an event when it contains half of its title: %s in %j', (title, words, named) => {
  expect(namesEvent(words, title)).toBe(named)
})
