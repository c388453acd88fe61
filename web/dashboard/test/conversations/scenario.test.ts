import { type ScenarioSource, scenarioOf } from '../../src/conversations/scenario.js'

const message = (id: string, role: 'user' | 'agent', text: string) => ({
  ...{ id, role, text },
  ...{ created_at: '2026-01-31T09:30:00.000Z', interrupted: false },
})
const call = (message_id: string, name: string) => ({ message_id, name }) as ScenarioSource['tool_calls'][number]

test('a conversation becomes a scenario with its messages, its calls of tools and the criteria of the Agent', () => {
  const description = 'A table was "booked": it is agreed.'
  const scenario = scenarioOf(
    {
      agent_id: '0f0b9d0c-6a3c-4f43-8d0e-1c8f2f1f7f10',
      transcript: [
        message('1', 'agent', 'Welcome.'),
        message('2', 'user', 'When do you open?'),
        message('3', 'agent', 'At nine.'),
        message('4', 'user', '- No:\n#thanks'),
        message('5', 'agent', 'Goodbye.'),
      ],
      tool_calls: [call('3', 'hours'), call('3', 'hours'), call('3', 'search')],
      analysis: { criteria: [{ description }] } as ScenarioSource['analysis'],
    },
    'Conversation with Ada',
  )
  expect(scenario).toBe(`agent: 0f0b9d0c-6a3c-4f43-8d0e-1c8f2f1f7f10
scenarios:
  - name: "Conversation with Ada"
    turns:
      - user: "When do you open?"
        expect:
          tools:
            - "hours"
            - "search"
      - user: "- No:\\n#thanks"
        expect:
          judge:
            - "A table was \\"booked\\": it is agreed."
`)
})
