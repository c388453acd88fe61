import { conversation, fakeTime, type Talk } from './scenario.js'

fakeTime()

const start = { event: 'ptt.start' } as const
const commit = { event: 'ptt.commit' } as const
const cancel = { event: 'ptt.cancel' } as const
const speechOf = (talk: Talk) => talk.events('user.speech').map(({ event: _, atMs: __, ...speech }) => speech)
const talking = () => conversation({ inputMode: 'push-to-talk' }).ready()

test('speech between start and commit is a turn, with the pauses in it and with audio that comes late', async () => {
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
  expect(talk.transcript()).toEqual(['user: I would like a pizza.', 'agent: Fine.'])
  expect(talk.stt.utterances).toEqual([{ voicedFrames: 55, frames: 255, outcome: 'finished' }])
  expect(talk.kept.turns[0]!.endpointing_ms).toBeNull()
  expect(talk.kept.turns[0]!.voice_to_voice_ms).toBeGreaterThan(0)
})

describe('audio before the first "ptt.start"', () => {
  test('is refused once over a WebSocket, and the conversation continues', async () => {
    const talk = await talking()
      .voice(500)
      .pause(500)
      .send(start)
      .user('I would like a pizza.')
      .send(commit)
      .agent()
      .agentIsDone()
      .run()
    expect(talk.events('error')).toMatchObject([
      { code: 'invalid_request', retryable: false, detail: expect.stringContaining('ptt.start') },
    ])
    expect(talk.transcript()).toEqual(['user: I would like a pizza.', 'agent: Fine.'])
  })

  test('is usual over WebRTC, and not refused', async () => {
    const talk = await conversation({ inputMode: 'push-to-talk', transport: 'webrtc' }).ready().voice(500).run()
    expect(talk.events('error')).toEqual([])
  })

  test('is not refused between two utterances', async () => {
    const talk = await talking().send(start).user('Hello.').send(commit).agent().agentIsDone().voice(500).run()
    expect(talk.events('error')).toEqual([])
  })
})

test('a cancelled utterance leaves no message', async () => {
  const talk = await talking().send(start).user('Never mind.').send(cancel).pause(2000).run()
  expect(talk.transcript()).toEqual([])
  expect(talk.stt.utterances.map(({ outcome }) => outcome)).toEqual(['cancelled'])
  expect(talk.events('user.speech')).toMatchObject([{ started: true }, { started: false }])
  expect(talk.events('user.speech')[1]).not.toHaveProperty('recognized')
})

test('a commit of silence is not a turn, is not recognized, and the client is sent recognized: false', async () => {
  const talk = await talking().send(start).pause(1000).send(commit).pause(2000).run()
  expect(talk.transcript()).toEqual([])
  expect(talk.stt.utterances.map(({ outcome }) => outcome)).toEqual(['cancelled'])
  expect(talk.states()).toEqual(['listening'])
  expect(speechOf(talk)).toEqual([{ started: true }, { started: false, recognized: false }])
})

test('a commit without words is not a turn, and the client is sent recognized: false after recognition', async () => {
  const talk = await talking().send(start).voice(500).send(commit).pause(2000).run()
  expect(talk.transcript()).toEqual([])
  expect(talk.states()).toEqual(['listening', 'thinking', 'listening'])
  expect(speechOf(talk)).toEqual([{ started: true }, { started: false }, { started: false, recognized: false }])
})

test('a user who talks again before an utterance turns out to be empty is not sent that speech has ended', async () => {
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
  expect(talk.transcript()).toEqual(['user: Hello there.', 'agent: Fine.'])
  expect(speechOf(talk).filter(({ recognized }) => recognized === false)).toEqual([])
})

test('ptt.start interrupts the agent at once, also with interruptions disabled', async () => {
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
  expect(talk.transcript()).toEqual(['agent: One two —'])
  expect(talk.events('interruption')[0]!.text_heard).toBe('One two')
})

test('voice without ptt.start is ignored', async () => {
  const talk = await talking().voice(3000).pause(2000).run()
  expect(talk.detector.frames).toBe(0)
  expect(talk.events('user.speech')).toEqual([])
})

test('commit and cancel without a start, and a second start, have no effect', async () => {
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
  expect(talk.transcript()).toEqual(['user: Hi.', 'agent: Fine.'])
  expect(talk.stt.utterances.map(({ voicedFrames }) => voicedFrames)).toEqual([30])
})

test('a conversation in automatic mode refuses push-to-talk events', async () => {
  const talk = await conversation().ready().send(start).voice(300).send(commit).pause(2000).run()
  expect(talk.errors()).toEqual(['invalid_request', 'invalid_request'])
})

test('a muted client sends no audio to the recognizer', async () => {
  const talk = await talking()
    .send({ event: 'mute', muted: true })
    .send(start)
    .voice(1000)
    .send(commit)
    .pause(2000)
    .run()
  expect(talk.transcript()).toEqual([])
  expect(talk.stt.utterances[0]!.frames).toBe(0)
})

test('voice that continues after a commit is not part of the next utterance', async () => {
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
  expect(talk.stt.utterances.map(({ outcome }) => outcome)).toEqual(['finished', 'cancelled'])
})
