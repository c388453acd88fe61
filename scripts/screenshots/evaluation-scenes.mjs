// What is judged after the conversations of an Agent.
import { click } from './actions.mjs'
import { path as agentPath, evaluationPath, withAgent } from './agent-scenes.mjs'
import { failed, longName, rightToLeft } from './answers.mjs'

const path = `${agentPath}?section=evaluation`
const evaluation = {
  criteria: [
    { name: 'Booked', description: 'A table was booked, and the user agreed to the time and to the number of guests.' },
    { name: longName.slice(0, 64), description: rightToLeft },
  ],
  data: [
    { name: 'Guests', type: 'integer', description: 'For how many people the table is.' },
    { name: 'Name', type: 'string', description: 'The name of the user.' },
  ],
}
const withEvaluation = (answer) => ({ ...withAgent(), [evaluationPath]: answer })

/** Keeps scenarios in the browser before the page is loaded. */
const withScenarios = (text) =>
  `localStorage.setItem('parlance.scenarios.${agentPath.split('/').at(-1)}', ${JSON.stringify(JSON.stringify(text))})`
const scenarios = `agent: front-desk
scenarios:
  - name: Tells when the shop opens
    turns:
      - expect: { words: front desk }
      - user: When do you open tomorrow?
        expect:
          words: [nine, morning]
          tools: opening_hours
  - name: Understands an order
    turns:
      - user: { say: I would like to order a cake }
`

export const evaluationScenes = [
  { name: 'agent-evaluation-set', path, answers: withEvaluation({ body: evaluation }) },
  { name: 'agent-evaluation-loading', path, answers: withEvaluation('pending') },
  { name: 'agent-evaluation-failed', path, answers: withEvaluation(failed) },
  {
    name: 'agent-evaluation-scenarios',
    ...{ path, answers: withEvaluation({ body: evaluation }) },
    init: withScenarios(scenarios),
    async act(page) {
      await click('Run')(page)
      await page.getByRole('status').filter({ hasText: 'passed' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'agent-evaluation-scenarios-wrong',
    ...{ path, answers: withAgent() },
    init: withScenarios(scenarios.replace('words: [', 'word: [')),
    act: click('Run'),
  },
  { name: 'agent-evaluation-add', path, answers: withAgent(), act: click('Add a value') },
]
