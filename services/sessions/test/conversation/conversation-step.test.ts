import { createLogger } from '@parlance/telemetry'
import { type ConversationStep, createStepReporter } from '../../src/conversation/conversation-step.js'

const step: ConversationStep = {
  machine: 'turn',
  event: { event: 'text', id: 'message-1', text: 'My number is 4711.' },
  atMs: 12,
  effects: [
    { effect: 'reply', turn: 1, input: { id: 'message-1', text: 'My number is 4711.' }, missed: false },
    { effect: 'agent.state', state: 'thinking' },
  ],
}

const report = (level: 'debug' | 'info') => {
  const lines: string[] = []
  const recorded: ConversationStep[] = []
  const reportStep = createStepReporter({
    sessionId: 'session-1',
    logger: createLogger({ level, destination: { write: (line: string) => void lines.push(line) } }),
    recordStep: (one) => void recorded.push(one),
  })
  reportStep(step)
  return { lines, recorded }
}

test('a step is logged at level debug with the names of its event and effects, without the words of the user', () => {
  const { lines } = report('debug')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0]!)).toMatchObject({
    level: 'debug',
    component: 'turn',
    sessionId: 'session-1',
    msg: 'Event text, effects: reply, agent.state',
  })
  expect(lines[0]).not.toContain('4711')
})

test('a step is recorded whole, and not logged at level info', () => {
  const { lines, recorded } = report('info')
  expect(recorded).toEqual([step])
  expect(lines).toEqual([])
})
