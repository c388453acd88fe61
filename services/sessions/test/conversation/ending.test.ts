import { conversation, fakeTime } from './scenario.js'

fakeTime()

test.each([
  ['before it is ready', conversation().open()],
  ['while the agent is listening', conversation().ready().pause(500)],
  ['while the user speaks', conversation().ready().user('Hi.', 500)],
  ['during recognition', conversation().ready().user('Hi.', 500).pause(480)],
  ['while the agent is thinking', conversation().ready().types('Hi.').pause(20)],
  ['while the agent speaks', conversation().ready().types('Hi.').agent()],
  ['while the agent is paused', conversation().ready().replies('One two three four.').types('Hi.').agent().voice(700)],
])('a client that is lost %s leaves nothing open', async (_when, scenario) => {
  const talk = await scenario.lost('connection_lost').pause(1000).run()
  expect(talk.ended()).toEqual({ reason: 'connection_lost', error: null })
  expect(talk.stt.utterances.every(({ outcome }) => outcome !== 'open')).toBe(true)
})

test('the record of an agent that the end cuts off has the text that was played', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two three four.')
    .types('Count.')
    .agent()
    .interruptAfter(500)
    .lost('user_disconnected')
    .run()
  expect(talk.transcript()).toEqual(['user: Count.', 'agent: One two —'])
  expect(talk.events('interruption')).toEqual([])
})

test('an end with a deadline lets the agent finish', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two three four.')
    .types('Count.')
    .agent()
    .end('drained', 30_000)
    .isOver()
    .run()
  expect(talk.transcript()).toEqual(['user: Count.', 'agent: One two three four.'])
  expect(talk.ended()!.reason).toBe('drained')
  const [ending] = talk.events('session.ending')
  expect(ending).toMatchObject({ reason: 'drained', deadline_ms: 30_000 })
  expect(talk.events('session.ended')[0]!.atMs - ending!.atMs).toBeLessThan(2000)
})

test('the agent does not speak beyond the deadline of an end', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two three four five six.')
    .types('Count.')
    .agent()
    .end('drained', 500)
    .isOver()
    .run()
  expect(talk.transcript()).toEqual(['user: Count.', 'agent: One two —'])
})

test('an agent that is paused when the end is announced resumes', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two three four.')
    .types('Count.')
    .agent()
    .voice(700)
    .end('drained', 30_000)
    .isOver()
    .run()
  expect(talk.transcript()).toEqual(['user: Count.', 'agent: One two three four.'])
})

test('a conversation whose agent is listening ends at once', async () => {
  const talk = await conversation()
    .ready()
    .pause(100)
    .end('drained', 30_000)
    .pause(20)
    .look((talk) => {
      expect(talk.ended()).toEqual({ reason: 'drained', error: null })
    })
    .run()
  expect(talk.ended()!.reason).toBe('drained')
})

test('no turn begins after the end was announced', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two three four.')
    .types('Count.')
    .agent()
    .end('drained', 30_000)
    .user('Wait.')
    .types('Wait!')
    .isOver()
    .run()
  expect(talk.transcript()).toEqual(['user: Count.', 'agent: One two three four.'])
})

test('the first reason is kept, and the nearest deadline applies', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two three four five six.')
    .types('Count.')
    .agent()
    .end('drained', 30_000)
    .end('api_ended', 500)
    .end('agent_ended', 20_000)
    .isOver()
    .run()
  expect(talk.ended()).toEqual({ reason: 'drained', error: null })
  expect(talk.kept.endings).toEqual(['drained'])
  expect(talk.transcript()).toEqual(['user: Count.', 'agent: One two —'])
})

test('a conversation in which neither side speaks ends', async () => {
  const talk = await conversation({ session: { silence_timeout_seconds: 5 } })
    .ready()
    .pause(5100)
    .run()
  expect(talk.ended()).toEqual({ reason: 'silence_timeout', error: null })
  expect(talk.events('session.ending')[0]!.reason).toBe('silence_timeout')
})

test('a conversation whose client is never ready ends', async () => {
  const talk = await conversation({ session: { silence_timeout_seconds: 5 } })
    .open()
    .pause(5100)
    .run()
  expect(talk.ended()!.reason).toBe('silence_timeout')
})

test('speech of the user and of the agent restarts the silence timeout', async () => {
  const talk = await conversation({ session: { silence_timeout_seconds: 5 } })
    .ready()
    .pause(4000)
    .replies('So many words that it takes a while to say them all, in fact more than five seconds. Really many words.')
    .user('Hi.')
    .agent()
    .pause(5200)
    .look((talk) => expect(talk.ended()).toBeUndefined())
    .agentIsDone()
    .pause(4000)
    .look((talk) => expect(talk.ended()).toBeUndefined())
    .pause(1100)
    .run()
  expect(talk.ended()!.reason).toBe('silence_timeout')
})

test('the longest duration is announced ten seconds ahead, during which the conversation continues', async () => {
  const talk = await conversation({ session: { max_duration_seconds: 30, silence_timeout_seconds: 60 } })
    .ready()
    .pause(20_100)
    .types('Hello.')
    .agent()
    .agentIsDone()
    .look((talk) => expect(talk.ended()).toBeUndefined())
    .isOver()
    .run()
  expect(talk.transcript()).toEqual(['user: Hello.', 'agent: Fine.'])
  expect(talk.ended()!.reason).toBe('max_duration')
  const [ending] = talk.events('session.ending')
  expect(ending).toMatchObject({ reason: 'max_duration', deadline_ms: 10_000 })
  expect(talk.events('session.ended')[0]!.atMs - ending!.atMs).toBeLessThanOrEqual(10_010)
})

test('a conversation can be ended after its longest duration was announced', async () => {
  const talk = await conversation({ session: { max_duration_seconds: 30 } })
    .ready()
    .pause(20_100)
    .end('api_ended', 0)
    .pause(20)
    .look((talk) => expect(talk.ended()!.reason).toBe('max_duration'))
    .run()
  expect(talk.events('session.ending')).toHaveLength(1)
})

test('an interrupted agent does not delay the end', async () => {
  const talk = await conversation()
    .ready()
    .types('Count.')
    .agent()
    .send({ event: 'interrupt' })
    .end('drained', 30_000)
    .look(({ sent }) => expect(sent.at(-1)!.event).toBe('session.ended'))
    .run()
  expect(talk.ended()!.reason).toBe('drained')
})

test('recognition that is cancelled by the end is not a failure', async () => {
  const talk = await conversation({ finishMs: 1000 })
    .ready()
    .replies('One two three four five six.')
    .types('Count.')
    .agent()
    .user('Wait.', 600)
    .pause(600)
    .end('drained', 30_000)
    .isOver()
    .run()
  expect(talk.errors()).toEqual([])
  expect(talk.transcript()).toEqual(['user: Count.', 'agent: One two three four five six.'])
})
