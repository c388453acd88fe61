import { conversation, fakeTime } from './scenario.js'

fakeTime()

const count = 'One two three four five six seven eight.'

test('an agent with interruptions disabled is played to its end', async () => {
  const talk = await conversation({ turn: { interruptions_enabled: false } })
    .ready()
    .replies(count)
    .types('Count.')
    .agent()
    .interruptAfter(100)
    .voice(1000)
    .send({ event: 'interrupt' })
    .agentIsDone()
    .pause(1000)
    .run()
  expect(talk.transcript()).toEqual(['user: Count.', `agent: ${count}`])
  expect(talk.stt.utterances).toEqual([])
})

test('a voice that continues after an agent that may not be interrupted is the next turn', async () => {
  const talk = await conversation({ turn: { interruptions_enabled: false } })
    .ready()
    .replies('One two.', 'Sure.')
    .types('Count.')
    .agent()
    .user('And now listen.', 1000)
    .agent()
    .agentIsDone()
    .run()
  expect(talk.transcript()).toEqual(['user: Count.', 'agent: One two.', 'user: And now listen.', 'agent: Sure.'])
})

test('a first message that is not interruptible is played to its end, and later replies are interrupted', async () => {
  const talk = await conversation({ config: { first_message: 'Welcome to us.', first_message_interruptible: false } })
    .ready()
    .replies(count)
    .agent()
    .voice(600)
    .agentIsDone()
    .pause(1000)
    .types('Count.')
    .agent()
    .interruptAfter(300)
    .user('Stop.', 700)
    .pause(1000)
    .run()
  expect(talk.transcript().slice(0, 2)).toEqual(['agent: Welcome to us.', 'user: Count.'])
  expect(talk.transcript()[2]).toMatch(/^agent: One.* —$/)
})

test('an interruptible first message is interrupted by words', async () => {
  const talk = await conversation({ config: { first_message: 'Welcome to our humble home.' } })
    .ready()
    .agent()
    .interruptAfter(400)
    .user('Hi.', 700)
    .pause(1000)
    .agentIsDone()
    .run()
  expect(talk.transcript()).toEqual(['agent: Welcome —', 'user: Hi.', 'agent: Fine.'])
})

test('typed text interrupts at once, also a first message that voice may not interrupt', async () => {
  const talk = await conversation({
    config: { first_message: 'One two three four.', first_message_interruptible: false },
  })
    .ready()
    .agent()
    .interruptAfter(500)
    .types('Stop.')
    .agent()
    .agentIsDone()
    .run()
  expect(talk.transcript()).toEqual(['agent: One two —', 'user: Stop.', 'agent: Fine.'])
})
