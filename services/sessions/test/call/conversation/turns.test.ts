import { conversation, fakeTime, type Talk } from './scenario.js'

fakeTime()

/** How long the user was silent before his turn was taken to be over. */
const endpointings = ({ kept }: Talk) => kept.turns.map(({ endpointing_ms }) => endpointing_ms)

test('what the user says is a turn when he pauses, and is answered', async () => {
  const talk = await conversation().ready().replies('Hello.').user('Hi there.').agent().agentIsDone().run()
  expect(talk.said()).toEqual(['user: Hi there.', 'agent: Hello.'])
  expect(talk.events('user.speech').map(({ started }) => started)).toEqual([true, false])
  expect(talk.states()).toEqual(['listening', 'thinking', 'speaking', 'listening'])
})

test('without knowing what he said so far, the user is waited for as long as at least', async () => {
  const talk = await conversation({ turn: { endpointing_min_ms: 400 } })
    .ready()
    .user('Hi.')
    .agent()
    .run()
  expect(endpointings(talk)[0]).toBeGreaterThanOrEqual(400)
  expect(endpointings(talk)[0]).toBeLessThan(440)
})

test.each([
  ['what time is it', 500],
  ['I like that.', 500],
  ['I would like a pizza and', 3000],
  ['I would like the', 3000],
  ['well, um', 3000],
  ['I would like a pizza,', 3000],
  ['I come from', 1125],
])('after "%s" the user is waited for %d ms', async (partial, ms) => {
  const talk = await conversation().ready().user(partial, 300).partial(partial).voice(300).agent().run()
  expect(endpointings(talk)[0]).toBeGreaterThanOrEqual(ms)
  expect(endpointings(talk)[0]).toBeLessThan(ms + 40)
})

test('a voice that resumes before its turn is over goes on with the same utterance', async () => {
  const talk = await conversation().ready().user('I would like a pizza.', 400).pause(300).voice(400).agent().run()
  expect(talk.said()[0]).toBe('user: I would like a pizza.')
  expect(talk.stt.heard).toHaveLength(1)
  expect(talk.stt.heard[0]!.voicedFrames).toBe(40)
})

test('the recogniser hears what came before the voice was noticed', async () => {
  const talk = await conversation().ready().pause(1000).user('Hi.', 400).agent().run()
  const [heard] = talk.stt.heard
  expect(heard!.voicedFrames).toBe(20)
  expect(heard!.frames).toBeGreaterThan(heard!.voicedFrames + 10)
})

test('a short noise is no turn, and not even looked into', async () => {
  const talk = await conversation().ready().voice(40).pause(1000).voice(40).pause(1000).run()
  expect(talk.stt.heard).toEqual([])
  expect(talk.events('user.speech')).toEqual([])
})

test('a voice without words is no turn', async () => {
  const talk = await conversation().ready().voice(400).pause(2000).run()
  expect(talk.stt.heard.map(({ outcome }) => outcome)).toEqual(['finished'])
  expect(talk.said()).toEqual([])
  expect(talk.states()).toEqual(['listening', 'thinking', 'listening'])
  expect(talk.events('user.speech').at(-1)).toMatchObject({ started: false, recognized: false })
  expect(talk.llm.requests).toEqual([])
})

test('words that came to nothing in the end are taken back from the peer', async () => {
  const talk = await conversation().ready().voice(300).partial('uh').voice(200).pause(4000).run()
  const told = talk.events('transcript').map(({ text, final }) => [text, final])
  expect(told).toEqual([
    ['uh', false],
    ['', true],
  ])
  expect(talk.said()).toEqual([])
})

test('what is understood is told as it comes, under the id that it keeps', async () => {
  const talk = await conversation().ready().user('Hello there.', 300).partial('hello').voice(300).agent().run()
  const told = talk.events('transcript').filter(({ role }) => role === 'user')
  expect(told.map(({ text, final }) => [text, final])).toEqual([
    ['hello', false],
    ['Hello there.', true],
  ])
  expect(new Set([...told.map(({ id }) => id), talk.kept.messages[0]!.id]).size).toBe(1)
})

test('a user who goes on while he is being understood has said two things, and is answered once', async () => {
  const talk = await conversation({ finishMs: 500 })
    .ready()
    .replies('Never heard.', 'Sure.')
    .user('I would like', 600)
    .pause(600)
    .user('a pizza please', 800)
    .agent()
    .agentIsDone()
    .run()
  expect(talk.said()).toEqual(['user: I would like', 'user: a pizza please', 'agent: Sure.'])
})

test('a user who goes on while the agent thinks is heard to his end, though interruptions are not enabled', async () => {
  const talk = await conversation({ turn: { interruptions_enabled: false }, finishMs: 20 })
    .ready()
    .replies('Never heard.')
    .user('I would like', 600)
    .pause(480)
    .user('a pizza', 800)
    .partial('a pizza')
    .pause(200)
    .agent()
    .agentIsDone()
    .run()
  expect(talk.said()).toEqual(['user: I would like', 'user: a pizza', 'agent: Fine.'])
})

test('nobody is listened to without end', async () => {
  const talk = await conversation().ready().understands('Buy now.').voice(121_000).run()
  expect(talk.stt.heard[0]!.outcome).toBe('finished')
  expect(talk.said()[0]).toBe('user: Buy now.')
})

test('a microphone that falls silent in the midst of a voice is a pause', async () => {
  const talk = await conversation().ready().understands('Hi.').voice(600).nothingComes(2000).run()
  expect(talk.said()).toEqual(['user: Hi.', 'agent: Fine.'])
})

test('who is muted is not heard, and what he had said is', async () => {
  const talk = await conversation()
    .ready()
    .user('Hi.', 600)
    .send({ event: 'mute', muted: true })
    .voice(3000)
    .send({ event: 'mute', muted: false })
    .pause(1000)
    .run()
  expect(talk.said()).toEqual(['user: Hi.', 'agent: Fine.'])
  expect(talk.stt.heard.map(({ voicedFrames }) => voicedFrames)).toEqual([30])
  expect(endpointings(talk)[0]).toBeLessThan(540)
})

test('nobody is heard before the client is ready', async () => {
  const talk = await conversation().open().voice(1000).pause(1000).run()
  expect(talk.detector.heard).toBe(0)
})

test('the parts of a turn add up to what passed from voice to voice', async () => {
  const talk = await conversation({ finishMs: 200 }).ready().user('Hi.').agent().agentIsDone().run()
  const [metrics] = talk.kept.turns
  const { endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms, voice_to_voice_ms } = metrics!
  expect(stt_ms).toBe(200)
  expect(llm_ttft_ms).toBe(50)
  // What is missing is the time from the first text to the first that could be spoken.
  const sum = endpointing_ms! + stt_ms! + llm_ttft_ms! + tts_ttfa_ms!
  expect(sum).toBeLessThanOrEqual(voice_to_voice_ms!)
  expect(voice_to_voice_ms! - sum).toBeLessThan(350)
  expect(talk.events('metrics')).toHaveLength(1)
})

test('a typed turn has no times of a voice', async () => {
  const talk = await conversation().ready().types('Hi.').agent().agentIsDone().run()
  expect(talk.kept.turns).toHaveLength(1)
  expect(talk.kept.turns[0]).toMatchObject({ endpointing_ms: null, stt_ms: null, voice_to_voice_ms: null })
})
