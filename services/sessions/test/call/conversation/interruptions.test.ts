import { conversation, fakeTime, type Talk } from './scenario.js'

fakeTime()

/** 50 ms for each character. */
const count = 'One two three four five six seven eight.'

const counting = (turn = {}) => conversation({ turn }).ready().replies(count).types('Count.').agent()

/** The longest time in which nothing was heard of the agent's first speech. */
const longestGapMs = ({ heard }: Talk) => {
  const times = heard.frames.filter(({ speech }) => speech === 1).map(({ atMs }) => atMs)
  return Math.max(...times.slice(1).map((atMs, index) => atMs - times[index]!))
}

test('words interrupt the agent, and the record holds what was heard of it', async () => {
  const talk = await counting().interruptAfter(500).user('Stop.', 700).pause(1000).agentIsDone().run()
  expect(talk.said()).toEqual(['user: Count.', 'agent: One two three four —', 'user: Stop.', 'agent: Fine.'])
  const [interruption] = talk.events('interruption')
  expect(interruption!.text_heard).toBe('One two three four')
  expect(interruption!.id).toBe(talk.kept.messages[1]!.id)
})

test('a reply that is interrupted is paid for up to the word that was playing, not for what was only made', async () => {
  const talk = await counting().interruptAfter(500).user('Stop.', 700).pause(1000).agentIsDone().run()
  const [reply] = talk.tts.settled
  expect(talk.tts.spoken[0]!.text).toBe(count)
  const heard = talk.events('interruption')[0]!.text_heard
  expect(count.slice(0, reply!.characters)).toBe('One two three four five')
  expect(count.startsWith(heard)).toBe(true)
  expect(talk.kept.usage.tts_characters).toBe('One two three four five'.length + 'Fine.'.length)
})

test('a reply that is interrupted after its first sentence is paid for that and the words played of the next', async () => {
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

test('the agent is silent at the first frame after a voice has lasted for as long as it takes', async () => {
  const talk = await counting({ interruption_min_ms: 300 }).interruptAfter(400).user('Stop.', 1000).pause(2000).run()
  const frames = talk.heard.frames.filter(({ speech }) => speech === 1)
  // 60 ms of the voice had passed when it was noticed.
  expect(frames.length * 20).toBeGreaterThanOrEqual(400 + 240)
  expect(frames.length * 20).toBeLessThanOrEqual(400 + 240 + 40)
})

test('words that are understood in part interrupt before the user has ended', async () => {
  const talk = await counting()
    .interruptAfter(500)
    .user('Stop that.', 600)
    .partial('stop')
    .look(({ sent }) => {
      expect(sent.some(({ event }) => event === 'interruption')).toBe(true)
    })
    .run()
  expect(talk.said()[1]).toBe('agent: One two three four —')
})

test('a cough holds the agent, which goes on where it was', async () => {
  const talk = await counting().interruptAfter(500).voice(700).agentIsDone().pause(100).agent().agentIsDone().run()
  expect(talk.said()).toEqual(['user: Count.', `agent: ${count}`])
  expect(talk.events('interruption')).toEqual([])
  expect(talk.states()).toEqual([...['listening', 'thinking', 'speaking', 'listening', 'speaking', 'listening']])
  // One frame more: it faded out where it was held.
  expect(talk.heard.frames).toHaveLength((count.length * 50) / 20 + 1)
  expect(longestGapMs(talk)).toBeGreaterThan(500)
})

test('where nobody can say in time whether there were words, the agent goes on, and is interrupted when there were', async () => {
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
  expect(talk.said()).toEqual([
    'user: Count.',
    'agent: One two three four five six seven —',
    'user: Stop.',
    'agent: Fine.',
  ])
})

test('a voice too short to interrupt is heard by nobody', async () => {
  const talk = await counting().interruptAfter(300).user('Yes.', 300).agentIsDone().pause(1000).run()
  expect(talk.said()).toEqual(['user: Count.', `agent: ${count}`])
  expect(talk.stt.heard.map(({ outcome }) => outcome)).toEqual(['cancelled'])
  expect(longestGapMs(talk)).toBe(20)
})

test('a voice that adds up over pauses interrupts', async () => {
  const talk = await counting()
    .interruptAfter(100)
    .user('Stop it.', 200)
    .pause(200)
    .voice(200)
    .pause(200)
    .voice(240)
    .pause(1000)
    .run()
  expect(talk.said()[1]).toMatch(/ —$/)
  expect(talk.said()[2]).toBe('user: Stop it.')
})

test('where interruptions are not enabled the agent is heard to its end', async () => {
  const talk = await counting({ interruptions_enabled: false })
    .interruptAfter(100)
    .voice(1000)
    .send({ event: 'interrupt' })
    .agentIsDone()
    .pause(1000)
    .run()
  expect(talk.said()).toEqual(['user: Count.', `agent: ${count}`])
  expect(talk.stt.heard).toEqual([])
})

test('a voice that outlasts an agent that may not be interrupted is the next turn', async () => {
  const talk = await conversation({ turn: { interruptions_enabled: false } })
    .ready()
    .replies('One two.', 'Sure.')
    .types('Count.')
    .agent()
    .user('And now listen.', 1000)
    .agent()
    .agentIsDone()
    .run()
  expect(talk.said()).toEqual(['user: Count.', 'agent: One two.', 'user: And now listen.', 'agent: Sure.'])
})

test('a first message that may not be interrupted is not, and replies are', async () => {
  const talk = await conversation({ config: { first_message: 'Welcome to us.', first_message_interruptible: false } })
    .ready()
    .replies(count)
    .agent()
    .voice(600)
    .agentIsDone()
    .pause(1000)
    .types('Count.')
    .agent()
    .user('Stop.', 700)
    .pause(1000)
    .run()
  expect(talk.said().slice(0, 2)).toEqual(['agent: Welcome to us.', 'user: Count.'])
  expect(talk.said()[2]).toMatch(/^agent: One.* —$/)
})

test('a first message that may be interrupted is', async () => {
  const talk = await conversation({ config: { first_message: 'Welcome to our humble home.' } })
    .ready()
    .agent()
    .user('Hi.', 700)
    .pause(1000)
    .agentIsDone()
    .run()
  expect(talk.said()).toEqual(['agent: Welcome —', 'user: Hi.', 'agent: Fine.'])
})

test('to ask for silence interrupts at once, and no turn follows', async () => {
  const talk = await counting().interruptAfter(500).send({ event: 'interrupt' }).pause(2000).run()
  expect(talk.said()).toEqual(['user: Count.', 'agent: One two —'])
  expect(talk.states().at(-1)).toBe('listening')
  expect(talk.llm.requests).toHaveLength(1)
})

test('to type interrupts at once, also a first message that a voice may not interrupt', async () => {
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
  expect(talk.said()).toEqual(['agent: One two —', 'user: Stop.', 'agent: Fine.'])
})

test('who interrupts an agent that still thinks leaves no trace of what it thought', async () => {
  const talk = await conversation().ready().types('Count.').pause(20).types('No, wait.').agent().agentIsDone().run()
  expect(talk.said()).toEqual(['user: Count.', 'user: No, wait.', 'agent: Fine.'])
  expect(talk.events('interruption')).toEqual([])
  expect(talk.errors()).toEqual([])
  expect(talk.llm.aborted).toBe(1)
})

test('an interruption cancels what is thought and spoken ahead', async () => {
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
  // What came of it until then is reckoned: the model would have told at its end.
  expect(talk.kept.usage.llm_output_tokens).toBeLessThan(100)
})

test('a model and a voice that do not hear that they are to stop change nothing', async () => {
  const talk = await conversation()
    .ready()
    .replies(count)
    .look(({ llm, tts }) => {
      llm.deaf = true
      tts.deaf = true
    })
    .types('Count.')
    .pause(70)
    .types('Stop.')
    .agent()
    .agentIsDone()
    .pause(2000)
    .run()
  expect(talk.said()).toEqual(['user: Count.', 'user: Stop.', 'agent: Fine.'])
  expect(new Set(talk.heard.frames.map(({ speech }) => speech))).toEqual(new Set([2]))
  expect(talk.kept.usage.llm_output_tokens - 'Fine.'.length).toBeLessThan(count.length / 4)
})

test('what a recogniser understands late, of what was cancelled, changes nothing', async () => {
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
  expect(talk.said()).toEqual([])
})

test('times of words begin anew with each speech, and go on where a held one went on', async () => {
  const talk = await counting().interruptAfter(200).voice(700).pause(500).types('Again.').agent().agentIsDone().run()
  const starts = talk.events('alignment').map(({ words }) => words[0]!.start_ms)
  expect(starts).toEqual([0, 0])
})

test('who speaks over an agent that is held, and says words the second time, interrupts it', async () => {
  const talk = await conversation({ finishMs: 1000 })
    .ready()
    .replies(count)
    .types('Count.')
    .agent()
    .voice(600)
    .pause(600)
    .understands('Stop.')
    .voice(700)
    .pause(2500)
    .run()
  expect(talk.said().slice(2)).toEqual(['user: Stop.', 'agent: Fine.'])
  expect(longestGapMs(talk)).toBe(20)
})

test('an agent does not begin to speak while the user does, and does when that was nothing', async () => {
  const talk = await conversation({ turn: { interruptions_enabled: false } })
    .ready()
    .types('Count.')
    .pause(20)
    .voice(200)
    .partial('uh')
    .pause(4000)
    .run()
  expect(talk.said()).toEqual(['user: Count.', 'agent: Fine.'])
  expect(talk.heard.frames[0]!.atMs).toBeGreaterThan(talk.events('transcript')[0]!.atMs + 1000)
})

test('a typed message is answered although a voice that says nothing goes on meanwhile', async () => {
  const talk = await conversation().ready().voice(300).partial('well').types('Hello.').voice(2000).pause(5000).run()
  expect(talk.said()).toEqual(['user: Hello.', 'agent: Fine.'])
})

test('the peer is told of an interruption before anything else that follows from it', async () => {
  const talk = await counting().interruptAfter(500).types('Stop.').pause(500).run()
  const names = talk.sent.map(({ event }) => event)
  const at = names.indexOf('interruption')
  expect(names.slice(at, at + 3)).toEqual(['interruption', 'transcript', 'transcript'])
})

test('words that are understood after the voice has ended interrupt before all of them are', async () => {
  const talk = await conversation({ finishMs: 1500 })
    .ready()
    .replies(count)
    .types('Count.')
    .agent()
    .user('Stop that.', 600)
    .pause(600)
    .partial('stop')
    .look(({ sent }) => expect(sent.some(({ event }) => event === 'interruption')).toBe(true))
    .pause(2000)
    .run()
  expect(talk.said().slice(2)).toEqual(['user: Stop that.', 'agent: Fine.'])
})

test('an agent that has not begun waits for a user who has not ended, however long he pauses', async () => {
  const talk = await conversation()
    .ready()
    .types('Hello.')
    .pause(20)
    .user('I am here.', 400)
    .partial('I')
    .pause(2800)
    .look(({ heard }) => expect(heard.frames).toEqual([]))
    .agent()
    .agentIsDone()
    .run()
  expect(talk.said()).toEqual(['user: Hello.', 'user: I am here.', 'agent: Fine.'])
})

test('who types in the midst of what he says is answered once', async () => {
  const talk = await conversation()
    .ready()
    .user('My name is the following.', 400)
    .partial('my name is the')
    .pause(200)
    .types('Ann.')
    .pause(2000)
    .look(({ heard }) => expect(heard.frames).toEqual([]))
    .agent()
    .agentIsDone()
    .run()
  expect(talk.said()).toEqual(['user: Ann.', 'user: My name is the following.', 'agent: Fine.'])
})

test('a long reply is not spoken far ahead of what is heard', async () => {
  const talk = await conversation()
    .ready()
    .replies('This sentence takes two seconds to say aloud. '.repeat(20))
    .types('Talk.')
    .agent()
    .pause(2000)
    .run()
  expect(talk.tts.spoken.length).toBeLessThan(6)
})
