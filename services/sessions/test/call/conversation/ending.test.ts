import { conversation, fakeTime } from './scenario.js'

fakeTime()

test.each([
  ['before it is ready', conversation().open()],
  ['while it listens', conversation().ready().pause(500)],
  ['while the user speaks', conversation().ready().user('Hi.', 500)],
  ['while the user is being understood', conversation().ready().user('Hi.', 500).pause(480)],
  ['while the agent thinks', conversation().ready().types('Hi.').pause(20)],
  ['while the agent speaks', conversation().ready().types('Hi.').agent()],
  ['while the agent is held', conversation().ready().replies('One two three four.').types('Hi.').agent().voice(700)],
])('a peer that is lost %s leaves nothing behind', async (_when, scenario) => {
  const talk = await scenario.lost('connection_lost').pause(1000).run()
  expect(talk.ended()).toEqual({ reason: 'connection_lost', error: null })
  expect(talk.stt.heard.every(({ outcome }) => outcome !== 'open')).toBe(true)
})

test('of an agent that was cut off by the end the record holds what was heard', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two three four.')
    .types('Count.')
    .agent()
    .interruptAfter(500)
    .lost('user_disconnected')
    .run()
  expect(talk.said()).toEqual(['user: Count.', 'agent: One two —'])
  expect(talk.events('interruption')).toEqual([])
})

test('who ends it lets the agent finish', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two three four.')
    .types('Count.')
    .agent()
    .end('drained', 30_000)
    .isOver()
    .run()
  expect(talk.said()).toEqual(['user: Count.', 'agent: One two three four.'])
  expect(talk.ended()!.reason).toBe('drained')
  const [ending] = talk.events('session.ending')
  expect(ending).toMatchObject({ reason: 'drained', deadline_ms: 30_000 })
  expect(talk.events('session.ended')[0]!.atMs - ending!.atMs).toBeLessThan(2000)
})

test('but not beyond the deadline', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two three four five six.')
    .types('Count.')
    .agent()
    .end('drained', 500)
    .isOver()
    .run()
  expect(talk.said()).toEqual(['user: Count.', 'agent: One two —'])
})

test('an agent that is held when the end is near goes on', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two three four.')
    .types('Count.')
    .agent()
    .voice(700)
    .end('drained', 30_000)
    .isOver()
    .run()
  expect(talk.said()).toEqual(['user: Count.', 'agent: One two three four.'])
})

test('whoever listens ends at once', async () => {
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

test('nothing new begins once the end is told', async () => {
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
  expect(talk.said()).toEqual(['user: Count.', 'agent: One two three four.'])
})

test('the reason that was given first stands, and the nearest deadline', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two three four.')
    .types('Count.')
    .agent()
    .end('drained', 30_000)
    .end('api_ended', 0)
    .pause(20)
    .look((talk) => expect(talk.ended()).toEqual({ reason: 'drained', error: null }))
    .end('agent_ended', 0)
    .run()
  expect(talk.kept.endings).toEqual(['drained'])
})

test('a conversation in which nobody says anything ends', async () => {
  const talk = await conversation({ session: { silence_timeout_seconds: 5 } })
    .ready()
    .pause(5100)
    .run()
  expect(talk.ended()).toEqual({ reason: 'silence_timeout', error: null })
  expect(talk.events('session.ending')[0]!.reason).toBe('silence_timeout')
})

test('a client that is never ready is no conversation for long', async () => {
  const talk = await conversation({ session: { silence_timeout_seconds: 5 } })
    .open()
    .pause(5100)
    .run()
  expect(talk.ended()!.reason).toBe('silence_timeout')
})

test('whoever speaks breaks the silence, user or agent', async () => {
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

test('the end of the longest time is told ten seconds ahead, in which the conversation goes on', async () => {
  const talk = await conversation({ session: { max_duration_seconds: 30, silence_timeout_seconds: 60 } })
    .ready()
    .pause(20_100)
    .types('Hello.')
    .agent()
    .agentIsDone()
    .look((talk) => expect(talk.ended()).toBeUndefined())
    .isOver()
    .run()
  expect(talk.said()).toEqual(['user: Hello.', 'agent: Fine.'])
  expect(talk.ended()!.reason).toBe('max_duration')
  const [ending] = talk.events('session.ending')
  expect(ending).toMatchObject({ reason: 'max_duration', deadline_ms: 10_000 })
  expect(talk.events('session.ended')[0]!.atMs - ending!.atMs).toBeLessThanOrEqual(10_010)
})

test('a conversation whose longest time is nearly up can still be ended before', async () => {
  const talk = await conversation({ session: { max_duration_seconds: 30 } })
    .ready()
    .pause(20_100)
    .end('api_ended', 0)
    .pause(20)
    .look((talk) => expect(talk.ended()!.reason).toBe('max_duration'))
    .run()
  expect(talk.events('session.ending')).toHaveLength(1)
})

test('of two deadlines the nearest holds, also where the other was given later', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two three four five six.')
    .types('Count.')
    .agent()
    .end('drained', 500)
    .end('drained', 30_000)
    .isOver()
    .run()
  expect(talk.said()).toEqual(['user: Count.', 'agent: One two —'])
})

test('who ends it now ends it now', async () => {
  const talk = await conversation()
    .ready()
    .types('Count.')
    .agent()
    .end('api_ended', 0)
    .look(({ sent }) => expect(sent.at(-1)!.event).toBe('session.ended'))
    .run()
  expect(talk.events('session.ending')[0]).toMatchObject({ deadline_ms: 0 })
})

test('an agent that was interrupted is not waited for', async () => {
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

test('what is not understood because the end is near is no failure', async () => {
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
  expect(talk.said()).toEqual(['user: Count.', 'agent: One two three four five six.'])
})
