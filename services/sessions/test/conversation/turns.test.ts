import { conversation, fakeTime, type Talk } from './scenario.js'

fakeTime()

/** How long the user was silent before each turn was judged to be over. */
const endpointings = ({ kept }: Talk) => kept.turns.map(({ endpointing_ms }) => endpointing_ms)

test('speech that is followed by a pause is a turn, and gets a reply', async () => {
  const talk = await conversation().ready().replies('Hello.').user('Hi there.').agent().agentIsDone().run()
  expect(talk.transcript()).toEqual(['user: Hi there.', 'agent: Hello.'])
  expect(talk.events('user.speech').map(({ started }) => started)).toEqual([true, false])
  expect(talk.states()).toEqual(['listening', 'thinking', 'speaking', 'listening'])
})

test('without a partial text the pause that ends a turn is endpointing_min_ms', async () => {
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
  ['I come from', 1750],
])('after "%s" the pause that ends the turn is %d ms', async (partial, ms) => {
  const talk = await conversation().ready().user(partial, 300).partial(partial).voice(300).agent().run()
  expect(endpointings(talk)[0]).toBeGreaterThanOrEqual(ms)
  expect(endpointings(talk)[0]).toBeLessThan(ms + 40)
})

test('a voice that resumes before the end of its turn continues the same utterance', async () => {
  const talk = await conversation().ready().user('I would like a pizza.', 400).pause(300).voice(400).agent().run()
  expect(talk.transcript()[0]).toBe('user: I would like a pizza.')
  expect(talk.stt.utterances).toHaveLength(1)
  expect(talk.stt.utterances[0]!.voicedFrames).toBe(40)
})

test('the recognizer gets the audio from before the voice was detected', async () => {
  const talk = await conversation().ready().pause(1000).user('Hi.', 400).agent().run()
  const [utterance] = talk.stt.utterances
  expect(utterance!.voicedFrames).toBe(20)
  expect(utterance!.frames).toBeGreaterThan(utterance!.voicedFrames + 10)
})

test('a short noise is not a turn, and is not recognized', async () => {
  const talk = await conversation().ready().voice(40).pause(1000).voice(40).pause(1000).run()
  expect(talk.stt.utterances).toEqual([])
  expect(talk.events('user.speech')).toEqual([])
})

test('a voice without words is not a turn', async () => {
  const talk = await conversation().ready().voice(400).pause(2000).run()
  expect(talk.stt.utterances.map(({ outcome }) => outcome)).toEqual(['finished'])
  expect(talk.transcript()).toEqual([])
  expect(talk.states()).toEqual(['listening', 'thinking', 'listening'])
  expect(talk.events('user.speech').at(-1)).toMatchObject({ started: false, recognized: false })
  expect(talk.llm.requests).toEqual([])
})

test('a partial text without a final text is withdrawn from the client', async () => {
  const talk = await conversation().ready().voice(300).partial('uh').voice(200).pause(4000).run()
  const texts = talk.events('transcript').map(({ text, final }) => [text, final])
  expect(texts).toEqual([
    ['uh', false],
    ['', true],
  ])
  expect(talk.transcript()).toEqual([])
})

test('partial texts are sent as they come, under the id of the final message', async () => {
  const talk = await conversation().ready().user('Hello there.', 300).partial('hello').voice(300).agent().run()
  const transcripts = talk.events('transcript').filter(({ role }) => role === 'user')
  expect(transcripts.map(({ text, final }) => [text, final])).toEqual([
    ['hello', false],
    ['Hello there.', true],
  ])
  expect(new Set([...transcripts.map(({ id }) => id), talk.kept.messages[0]!.id]).size).toBe(1)
})

test('a user who continues to speak during recognition has two messages, and gets one reply', async () => {
  const talk = await conversation({ finishMs: 500 })
    .ready()
    .replies('Never played.', 'Sure.')
    .user('I would like', 600)
    .pause(600)
    .user('a pizza please', 800)
    .agent()
    .agentIsDone()
    .run()
  expect(talk.transcript()).toEqual(['user: I would like', 'user: a pizza please', 'agent: Sure.'])
})

test('a user who continues to speak while the agent is thinking is recognized to the end, also with interruptions disabled', async () => {
  const talk = await conversation({ turn: { interruptions_enabled: false }, finishMs: 20 })
    .ready()
    .replies('Never played.')
    .user('I would like', 600)
    .pause(480)
    .user('a pizza', 800)
    .partial('a pizza')
    .pause(200)
    .agent()
    .agentIsDone()
    .run()
  expect(talk.transcript()).toEqual(['user: I would like', 'user: a pizza', 'agent: Fine.'])
})

test('an utterance has a longest duration', async () => {
  const talk = await conversation().ready().recognizes('Buy now.').voice(121_000).run()
  expect(talk.stt.utterances[0]!.outcome).toBe('finished')
  expect(talk.transcript()[0]).toBe('user: Buy now.')
})

test('a microphone that stops sending during a voice counts as a pause', async () => {
  const talk = await conversation().ready().recognizes('Hi.').voice(600).noAudio(2000).run()
  expect(talk.transcript()).toEqual(['user: Hi.', 'agent: Fine.'])
})

test('audio of a muted client is not recognized, and audio from before is', async () => {
  const talk = await conversation()
    .ready()
    .user('Hi.', 600)
    .send({ event: 'mute', muted: true })
    .voice(3000)
    .send({ event: 'mute', muted: false })
    .pause(1000)
    .run()
  expect(talk.transcript()).toEqual(['user: Hi.', 'agent: Fine.'])
  expect(talk.stt.utterances.map(({ voicedFrames }) => voicedFrames)).toEqual([30])
  expect(endpointings(talk)[0]).toBeLessThan(540)
})

test('audio from before client.ready is ignored', async () => {
  const talk = await conversation().open().voice(1000).pause(1000).run()
  expect(talk.detector.frames).toBe(0)
})

test('the measured parts of a turn add up to its voice-to-voice latency', async () => {
  const talk = await conversation({ finishMs: 200 }).ready().user('Hi.').agent().agentIsDone().run()
  const [metrics] = talk.kept.turns
  const { endpointing_ms, stt_ms, llm_ttft_ms, tts_ttfa_ms, voice_to_voice_ms } = metrics!
  expect(stt_ms).toBe(200)
  expect(llm_ttft_ms).toBe(50)
  // The rest is the time from the first text to the first segment.
  const sum = endpointing_ms! + stt_ms! + llm_ttft_ms! + tts_ttfa_ms!
  expect(sum).toBeLessThanOrEqual(voice_to_voice_ms!)
  expect(voice_to_voice_ms! - sum).toBeLessThan(350)
  expect(talk.events('metrics')).toHaveLength(1)
})

test('a typed turn has no latencies of voice', async () => {
  const talk = await conversation().ready().types('Hi.').agent().agentIsDone().run()
  expect(talk.kept.turns).toHaveLength(1)
  expect(talk.kept.turns[0]).toMatchObject({ endpointing_ms: null, stt_ms: null, voice_to_voice_ms: null })
})
