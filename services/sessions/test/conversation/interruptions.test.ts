import { conversation, fakeTime, type Talk } from './scenario.js'

fakeTime()

/** 50 ms for each character. */
const count = 'One two three four five six seven eight.'

const counting = (turn = {}) => conversation({ turn }).ready().replies(count).types('Count.').agent()

/** The longest time without audio of the agent's first speech, between its first frame and its last. */
const longestGapMs = ({ played }: Talk) => {
  const times = played.frames.filter(({ speech }) => speech === 1).map(({ atMs }) => atMs)
  return Math.max(...times.slice(1).map((atMs, index) => atMs - times[index]!))
}

test('words interrupt the agent, and the record has the text that was played', async () => {
  const talk = await counting().interruptAfter(500).user('Stop.', 700).pause(1000).agentIsDone().run()
  expect(talk.transcript()).toEqual(['user: Count.', 'agent: One two —', 'user: Stop.', 'agent: Fine.'])
  const [interruption] = talk.events('interruption')
  expect(interruption!.text_heard).toBe('One two')
  expect(interruption!.id).toBe(talk.kept.messages[1]!.id)
})

test('an interrupted reply is paid for up to the word that was playing, and not for audio that was only synthesized', async () => {
  const talk = await counting().interruptAfter(500).user('Stop.', 700).pause(1000).agentIsDone().run()
  const [reply] = talk.tts.settled
  expect(talk.tts.spoken[0]!.text).toBe(count)
  const playedText = talk.events('interruption')[0]!.text_heard
  expect(count.slice(0, reply!.characters)).toBe('One two three')
  expect(count.startsWith(playedText)).toBe(true)
  expect(talk.kept.usage.tts_characters).toBe('One two three'.length + 'Fine.'.length)
})

test('a reply that is interrupted in its second sentence is paid for the first and for the words played of the second', async () => {
  const sentences = 'First comes this one. And this second sentence is much longer than the first.'
  const talk = await conversation()
    .ready()
    .replies(sentences)
    .types('Talk.')
    .agent()
    .interruptAfter(1_400)
    .user('Stop.', 700)
    .pause(1_000)
    .run()
  const [first, second] = talk.tts.settled
  expect(first).toEqual({ text: 'First comes this one.', characters: 'First comes this one.'.length })
  expect(second!.characters).toBeGreaterThan(0)
  expect(second!.characters).toBeLessThan(second!.text.length)
})

test('the agent is silent from the second frame after a voice is noticed', async () => {
  const talk = await counting({ interruption_min_ms: 300 }).interruptAfter(400).user('Stop.', 1000).pause(2000).run()
  const frames = talk.played.frames.filter(({ speech }) => speech === 1)
  expect(frames.length * 20).toBeGreaterThanOrEqual(400)
  expect(frames.length * 20).toBeLessThanOrEqual(400 + 60)
})

test('a partial text with words interrupts before the user has finished', async () => {
  const talk = await counting()
    .interruptAfter(500)
    .user('Stop that.', 600)
    .partial('stop')
    .look(({ sent }) => {
      expect(sent.some(({ event }) => event === 'interruption')).toBe(true)
    })
    .run()
  expect(talk.transcript()[1]).toBe('agent: One two —')
})

test('words do not interrupt before the voice has lasted for interruption_min_ms', async () => {
  const talk = await counting({ interruption_min_ms: 800 })
    .interruptAfter(500)
    .user('Stop that.', 600)
    .partial('stop')
    .look(({ sent }) => expect(sent.some(({ event }) => event === 'interruption')).toBe(false))
    .voice(300)
    .look(({ sent }) => expect(sent.some(({ event }) => event === 'interruption')).toBe(true))
    .run()
  expect(talk.transcript()[1]).toBe('agent: One two —')
})

test.each(['Mhm.', 'Right.', 'Okay, yeah.'])('the agent goes on after "%s", which is no message', async (text) => {
  const talk = await counting().interruptAfter(500).previews(text).user(text, 600).pause(4000).run()
  expect(talk.transcript()).toEqual(['user: Count.', `agent: ${count}`])
  expect(talk.events('interruption')).toEqual([])
  // The partial text was sent, and is withdrawn.
  expect(talk.llm.requests).toHaveLength(1)
})

test('a back-channel that ends shortly before the agent does is taken for an answer', async () => {
  const talk = await counting()
    .interruptAfter(count.length * 50 - 500)
    .previews('Okay.')
    .user('Okay.', 600)
    .pause(4000)
    .run()
  expect(talk.transcript()).toEqual(['user: Count.', `agent: ${count}`, 'user: Okay.', 'agent: Fine.'])
  expect(talk.events('interruption')).toEqual([])
})

test('a voice that has no words after a while is talked over, and interrupts when it has words after all', async () => {
  const talk = await counting()
    .interruptAfter(500)
    .previews('')
    .voice(1500)
    .look(({ sent }) => expect(sent.at(-1)).toMatchObject({ event: 'agent.state', state: 'speaking' }))
    .user('Stop that.', 300)
    .partial('stop')
    .pause(2000)
    .run()
  expect(talk.transcript().slice(1)).toEqual(['agent: One two three four —', 'user: Stop that.', 'agent: Fine.'])
})

test('a cough pauses the agent, which resumes with the word that was cut', async () => {
  const talk = await counting().interruptAfter(500).voice(700).agentIsDone().pause(100).agent().agentIsDone().run()
  expect(talk.transcript()).toEqual(['user: Count.', `agent: ${count}`])
  expect(talk.events('interruption')).toEqual([])
  expect(talk.states()).toEqual([...['listening', 'thinking', 'speaking', 'listening', 'speaking', 'listening']])
  const times = talk.played.frames.map(({ atMs }) => atMs)
  const before = times.findIndex((atMs, index) => times[index + 1]! - atMs > 500) + 1
  // The last frame before the pause is its fade-out.
  const stoppedMs = (before - 1) * 20
  const wordMs = count.slice(0, Math.floor(stoppedMs / 50)).search(/\w+$/) * 50
  expect(wordMs).toBeGreaterThan(0)
  expect((talk.played.frames.length - before) * 20).toBe(count.length * 50 - wordMs)
  expect(longestGapMs(talk)).toBeGreaterThan(500)
})

test('an agent that resumes before recognition is done is interrupted when there are words after all', async () => {
  const talk = await conversation({ turn: { false_interruption_timeout_ms: 800 }, finishMs: 1500 })
    .ready()
    .replies(count)
    .types('Count.')
    .agent()
    .interruptAfter(200)
    .user('Stop.', 600)
    .pause(4000)
    .run()
  expect(talk.states().slice(2, 6)).toEqual(['speaking', 'listening', 'speaking', 'thinking'])
  expect(talk.transcript()).toEqual([
    'user: Count.',
    'agent: One two three four five six —',
    'user: Stop.',
    'agent: Fine.',
  ])
})

test('a voice that is too short to interrupt is ignored, and the agent goes on soon after it', async () => {
  const talk = await counting().interruptAfter(300).user('Stop.', 300).pause(3000).run()
  expect(talk.transcript()).toEqual(['user: Count.', `agent: ${count}`])
  expect(talk.stt.utterances.map(({ outcome }) => outcome)).toEqual(['cancelled'])
  expect(longestGapMs(talk)).toBeLessThan(600)
})

test('voice that is long enough over several pauses interrupts', async () => {
  const talk = await counting()
    .interruptAfter(300)
    .user('Stop it.', 200)
    .pause(200)
    .voice(200)
    .pause(200)
    .voice(240)
    .pause(1000)
    .run()
  expect(talk.transcript()[1]).toMatch(/ —$/)
  expect(talk.transcript()[2]).toBe('user: Stop it.')
})

test('the event interrupt stops the agent at once, and no turn follows', async () => {
  const talk = await counting().interruptAfter(500).send({ event: 'interrupt' }).pause(2000).run()
  expect(talk.transcript()).toEqual(['user: Count.', 'agent: One two —'])
  expect(talk.states().at(-1)).toBe('listening')
  expect(talk.llm.requests).toHaveLength(1)
})

test('an interruption of an agent that is still thinking leaves no trace of its reply', async () => {
  const talk = await conversation().ready().types('Count.').pause(20).types('No, wait.').agent().agentIsDone().run()
  expect(talk.transcript()).toEqual(['user: Count.', 'user: No, wait.', 'agent: Fine.'])
  expect(talk.events('interruption')).toEqual([])
  expect(talk.errors()).toEqual([])
  expect(talk.llm.aborted).toBe(1)
})

test('an interruption cancels the model and the speech that is ahead of playback', async () => {
  const talk = await conversation()
    .ready()
    .replies('A sentence that is so long that it takes its time. '.repeat(20))
    .types('Talk.')
    .agent()
    .send({ event: 'interrupt' })
    .pause(3000)
    .run()
  expect(talk.llm.aborted).toBe(1)
  expect(talk.tts.spoken.length).toBeLessThan(3)
  // Tokens are estimated from the text so far, since the model reports them only at its end.
  expect(talk.kept.usage.llm_output_tokens).toBeLessThan(100)
})

test('a model and a voice that ignore their signal have no effect after an interruption', async () => {
  const talk = await conversation()
    .ready()
    .replies(count)
    .look(({ llm, tts }) => {
      llm.ignoresSignal = true
      tts.ignoresSignal = true
    })
    .types('Count.')
    .pause(70)
    .types('Stop.')
    .agent()
    .agentIsDone()
    .pause(2000)
    .run()
  expect(talk.transcript()).toEqual(['user: Count.', 'user: Stop.', 'agent: Fine.'])
  expect(new Set(talk.played.frames.map(({ speech }) => speech))).toEqual(new Set([2]))
  expect(talk.kept.usage.llm_output_tokens - 'Fine.'.length).toBeLessThan(count.length / 4)
})

test('a result that a recognizer returns after its utterance was cancelled has no effect', async () => {
  const talk = await conversation({ inputMode: 'push-to-talk', finishMs: 500 })
    .ready()
    .look(({ stt }) => {
      stt.lateFinals = true
    })
    .send({ event: 'ptt.start' })
    .user('Late.')
    .send({ event: 'ptt.commit' })
    .end('api_ended', 0)
    .pause(2000)
    .run()
  expect(talk.transcript()).toEqual([])
})

test('word times begin at 0 with each speech, and continue after a pause', async () => {
  const talk = await counting().interruptAfter(200).voice(700).pause(500).types('Again.').agent().agentIsDone().run()
  const starts = talk.events('alignment').map(({ words }) => words[0]!.start_ms)
  expect(starts).toEqual([0, 0])
})

test('a second voice with words interrupts an agent that is paused for a first without', async () => {
  const talk = await conversation({ finishMs: 1000 })
    .ready()
    .replies(count)
    .types('Count.')
    .agent()
    .interruptAfter(300)
    .voice(600)
    .pause(600)
    .recognizes('Stop.')
    .voice(700)
    .pause(2500)
    .run()
  expect(talk.transcript().slice(2)).toEqual(['user: Stop.', 'agent: Fine.'])
  expect(longestGapMs(talk)).toBe(20)
})

test('an agent does not begin to speak during the voice of the user, and begins when that has no words', async () => {
  const talk = await conversation({ turn: { interruptions_enabled: false } })
    .ready()
    .types('Count.')
    .pause(20)
    .voice(200)
    .partial('uh')
    .pause(4000)
    .run()
  expect(talk.transcript()).toEqual(['user: Count.', 'agent: Fine.'])
  expect(talk.played.frames[0]!.atMs).toBeGreaterThan(talk.events('transcript')[0]!.atMs + 1000)
})

test('a typed message is answered although a voice without words continues meanwhile', async () => {
  const talk = await conversation().ready().voice(300).partial('well').types('Hello.').voice(2000).pause(5000).run()
  expect(talk.transcript()).toEqual(['user: Hello.', 'agent: Fine.'])
})

test('the client is sent interruption before the events that follow from it', async () => {
  const talk = await counting().interruptAfter(500).types('Stop.').pause(500).run()
  const names = talk.sent.map(({ event }) => event)
  const at = names.indexOf('interruption')
  expect(names.slice(at, at + 3)).toEqual(['interruption', 'transcript', 'transcript'])
})

test('a partial text that comes after the voice has ended interrupts before the final text', async () => {
  const talk = await conversation({ finishMs: 1500 })
    .ready()
    .replies(count)
    .types('Count.')
    .agent()
    .interruptAfter(300)
    .user('Stop that.', 600)
    .pause(600)
    .partial('stop')
    .look(({ sent }) => expect(sent.some(({ event }) => event === 'interruption')).toBe(true))
    .pause(2000)
    .run()
  expect(talk.transcript().slice(2)).toEqual(['user: Stop that.', 'agent: Fine.'])
})

test('an agent that has not begun to speak waits for a user whose sentence is incomplete, however long the pause', async () => {
  const talk = await conversation()
    .ready()
    .types('Hello.')
    .pause(20)
    .user('I am here.', 400)
    .partial('I')
    .pause(2800)
    .look(({ played }) => expect(played.frames).toEqual([]))
    .agent()
    .agentIsDone()
    .run()
  expect(talk.transcript()).toEqual(['user: Hello.', 'user: I am here.', 'agent: Fine.'])
})

test('text that is typed during an utterance gets one reply together with it', async () => {
  const talk = await conversation()
    .ready()
    .user('My name is the following.', 400)
    .partial('my name is the')
    .pause(200)
    .types('Ann.')
    .pause(2000)
    .look(({ played }) => expect(played.frames).toEqual([]))
    .agent()
    .agentIsDone()
    .run()
  expect(talk.transcript()).toEqual(['user: Ann.', 'user: My name is the following.', 'agent: Fine.'])
})

test('a long reply is not synthesized far ahead of playback', async () => {
  const talk = await conversation()
    .ready()
    .replies('This sentence takes two seconds to say aloud. '.repeat(20))
    .types('Talk.')
    .agent()
    .pause(2000)
    .run()
  expect(talk.tts.spoken.length).toBeLessThan(6)
})
