import { conversation, fakeTime, type Talk } from './scenario.js'

fakeTime()

const start = { event: 'ptt.start' } as const
const commit = { event: 'ptt.commit' } as const
const cancel = { event: 'ptt.cancel' } as const
const speechOf = (talk: Talk) => talk.events('user.speech').map(({ event: _, atMs: __, ...speech }) => speech)
const talking = () => conversation({ inputMode: 'push-to-talk' }).ready()

test('what is said between start and commit is a turn, whatever pauses there are in it and though its last sounds come late', async () => {
  const talk = await talking()
    .voice(500)
    .send(start)
    .user('I would like a pizza.', 500)
    .pause(4000)
    .voice(500)
    .send(commit)
    .voice(100)
    .agent()
    .agentIsDone()
    .run()
  expect(talk.said()).toEqual(['user: I would like a pizza.', 'agent: Fine.'])
  expect(talk.stt.heard).toEqual([{ voicedFrames: 55, frames: 255, outcome: 'finished' }])
  expect(talk.kept.turns[0]!.endpointing_ms).toBeNull()
  expect(talk.kept.turns[0]!.voice_to_voice_ms).toBeGreaterThan(0)
})

test('what is cancelled was never said', async () => {
  const talk = await talking().send(start).user('Never mind.').send(cancel).pause(2000).run()
  expect(talk.said()).toEqual([])
  expect(talk.stt.heard.map(({ outcome }) => outcome)).toEqual(['cancelled'])
  expect(talk.events('user.speech')).toMatchObject([{ started: true }, { started: false }])
  expect(talk.events('user.speech')[1]).not.toHaveProperty('recognized')
})

test('a commit of silence is no turn, costs no recognition, and the client is sent that nothing was understood', async () => {
  const talk = await talking().send(start).pause(1000).send(commit).pause(2000).run()
  expect(talk.said()).toEqual([])
  expect(talk.stt.heard.map(({ outcome }) => outcome)).toEqual(['cancelled'])
  expect(talk.states()).toEqual(['listening'])
  expect(speechOf(talk)).toEqual([{ started: true }, { started: false, recognized: false }])
})

test('a commit in which nothing is understood is no turn, and the client is sent so once that is known', async () => {
  const talk = await talking().send(start).voice(500).send(commit).pause(2000).run()
  expect(talk.said()).toEqual([])
  expect(talk.states()).toEqual(['listening', 'thinking', 'listening'])
  expect(speechOf(talk)).toEqual([{ started: true }, { started: false }, { started: false, recognized: false }])
})

test('where the user talks again before it is known that nothing was understood, he is not sent that his speech has ended', async () => {
  const talk = await conversation({ inputMode: 'push-to-talk', finishMs: 600 })
    .ready()
    .send(start)
    .voice(500)
    .send(commit)
    .pause(200)
    .send(start)
    .user('Hello there.')
    .send(commit)
    .agent()
    .agentIsDone()
    .run()
  expect(talk.said()).toEqual(['user: Hello there.', 'agent: Fine.'])
  expect(speechOf(talk).filter(({ recognized }) => recognized === false)).toEqual([])
})

test('to begin to talk silences the agent at once, though interruptions are not enabled', async () => {
  const talk = await conversation({
    inputMode: 'push-to-talk',
    turn: { interruptions_enabled: false },
    config: { first_message: 'One two three four five.', first_message_interruptible: false },
  })
    .ready()
    .agent()
    .interruptAfter(500)
    .send(start)
    .pause(2000)
    .send(cancel)
    .run()
  expect(talk.said()).toEqual(['agent: One two —'])
  expect(talk.events('interruption')[0]!.text_heard).toBe('One two')
})

test('a voice means nothing while nobody talks', async () => {
  const talk = await talking().voice(3000).pause(2000).run()
  expect(talk.detector.heard).toBe(0)
  expect(talk.events('user.speech')).toEqual([])
})

test('commit and cancel without a start, and a second start, change nothing', async () => {
  const talk = await talking()
    .send(commit)
    .send(cancel)
    .send(start)
    .user('Hi.', 300)
    .send(start)
    .voice(300)
    .send(commit)
    .send(commit)
    .agent()
    .agentIsDone()
    .run()
  expect(talk.said()).toEqual(['user: Hi.', 'agent: Fine.'])
  expect(talk.stt.heard.map(({ voicedFrames }) => voicedFrames)).toEqual([30])
})

test('a conversation that listens by itself takes no push-to-talk, and says so', async () => {
  const talk = await conversation().ready().send(start).voice(300).send(commit).pause(2000).run()
  expect(talk.errors()).toEqual(['invalid_request', 'invalid_request'])
})

test('who is muted says nothing', async () => {
  const talk = await talking()
    .send({ event: 'mute', muted: true })
    .send(start)
    .voice(1000)
    .send(commit)
    .pause(2000)
    .run()
  expect(talk.said()).toEqual([])
  expect(talk.stt.heard[0]!.frames).toBe(0)
})

test('a voice that went on beyond a commit is not in what is said next', async () => {
  const talk = await talking()
    .send(start)
    .user('Hi.', 500)
    .send(commit)
    .voice(100)
    .pause(300)
    .send(start)
    .pause(500)
    .send(commit)
    .pause(1000)
    .run()
  expect(talk.stt.heard.map(({ outcome }) => outcome)).toEqual(['finished', 'cancelled'])
})
