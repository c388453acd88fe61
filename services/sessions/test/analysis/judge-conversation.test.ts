import type { Evaluation } from '@parlance/contracts'
import { parseAnswer } from '../../src/analysis/judge-conversation.js'

const criterion = { name: 'Booked', description: 'A table was booked.' }
const guests = { name: 'Guests', type: 'integer', description: 'How many.' } as const
const evaluation: Evaluation = {
  criteria: [criterion],
  data: [guests, { name: '__proto__', type: 'string', description: 'A name that is no ordinary one.' }],
}
const judged = { result: 'failure', reason: ' It was full. ' }
const answer = { criteria: { 1: judged }, data: { 1: 4, 2: null } }

test('an answer with text around its JSON is accepted', () => {
  const text = `Here it is:\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\`\nAnything else?`
  expect(parseAnswer(evaluation, text)).toEqual({
    result: {
      criteria: [{ ...criterion, result: 'failure', reason: 'It was full.' }],
      data: [
        { ...guests, value: 4 },
        { ...evaluation.data[1], value: null },
      ],
    },
  })
})

test.each([
  ['no JSON', 'I cannot.', 'not a JSON object'],
  ['a criterion that is left out', JSON.stringify({ ...answer, criteria: {} }), 'criteria'],
  ['data that are left out', JSON.stringify({ criteria: answer.criteria }), 'data'],
  ['an unknown result', JSON.stringify({ ...answer, criteria: { 1: { ...judged, result: 'maybe' } } }), 'result'],
  ['a value of another type', JSON.stringify({ ...answer, data: { 1: 'four', 2: null } }), 'data'],
  ['a value that is not whole', JSON.stringify({ ...answer, data: { 1: 4.5, 2: null } }), 'data'],
])('%s is a problem that names the member', (_, text, place) => {
  const parsed = parseAnswer(evaluation, text)
  expect('problem' in parsed && parsed.problem).toContain(place)
})

test('reasons and values are bounded', () => {
  const long = { criteria: { 1: { ...judged, reason: 'r'.repeat(9_000) } }, data: { 1: 1, 2: 'v'.repeat(9_000) } }
  const parsed = parseAnswer(evaluation, JSON.stringify(long))
  const { criteria, data } = (parsed as Extract<typeof parsed, { result: object }>).result
  expect(criteria[0]!.reason.length).toBeLessThan(1_100)
  expect(String(data[1]!.value).length).toBeLessThan(2_100)
})
