import { readFileSync } from 'node:fs'
import type { ConversationStep } from '../../src/conversation/conversation.js'
import { type Recording, replay } from './replay.js'
import { conversation, fakeTime } from './scenario.js'

fakeTime()

/** A greeting, a false interruption, an interruption, a message by keyboard, and the end for silence. */
const eventful = () =>
  conversation({ config: { first_message: 'Welcome to us.' }, session: { silence_timeout_seconds: 5 } })
    .ready()
    .agentIsDone()
    .replies('One two three four five six.', 'Seven eight nine ten eleven.', 'Fine.')
    .user('Count for me.')
    .agent()
    .voice(700)
    .pause(4_000)
    .agentIsDone()
    .user('Go on.')
    .agent()
    .interruptAfter(200)
    .voice(400)
    .partial('Stop')
    .user('Stop it.', 400)
    .types('Thank you.')
    .agentIsDone()
    .isOver()

const effectsOf = (steps: readonly ConversationStep[]): string[] =>
  steps.flatMap((step): string[] => step.effects.map(({ effect }) => effect))

test('a conversation that is recorded replays to the same effects', async () => {
  const { recording } = await eventful().run()
  const stored: Recording = JSON.parse(JSON.stringify(recording))
  const replayed = replay(stored)
  expect(replayed).toEqual(recording.steps)
  expect(effectsOf(replayed)).toEqual(
    expect.arrayContaining([
      ...['begin', 'greet', 'recognition.begin', 'recognition.finish', 'reply', 'pause', 'resume', 'interrupt'],
      ...['silence.timeout', 'announce', 'leave', 'close'],
    ]),
  )
})

test('a recording from a file replays to the effects in that file', () => {
  const file = new URL('./recording.json', import.meta.url)
  const recording: Recording = JSON.parse(readFileSync(file, 'utf8'))
  expect(recording.steps.length).toBeGreaterThan(30)
  expect(replay(recording)).toEqual(recording.steps)
})

test('with other options the same events have other effects', async () => {
  const { recording } = await eventful().run()
  const { config } = recording
  const turn_config = { ...config.turn_config, interruptions_enabled: false }
  const replayed = replay({ ...recording, config: { ...config, turn_config } })
  expect(effectsOf(replayed)).not.toEqual(effectsOf(recording.steps))
})

test('each step is logged at level debug with the names of its event and effects, without the words of the user', async () => {
  const { logged } = await eventful().run()
  const lines = logged.map(({ component, msg }) => `${component}: ${msg}`)
  expect(lines.find((line) => line.startsWith('turn: Event text'))).toMatch(/effects: .*reply/)
  expect(lines).toContain('call: Event end, effects: announce, leave, close')
  expect(JSON.stringify(logged)).not.toMatch(/Count for me|Thank you/)
})
