import { conversation, fakeTime, sessionId } from './scenario.js'

fakeTime()

const id = '7e3b4a52-6b0c-4b7e-9d5e-0c6f4f1f1a01'

test('a typed message is answered by voice, and kept under the id that the client gave it', async () => {
  const talk = await conversation().ready().replies('Hello there.').types('Hello.', id).agent().agentIsDone().run()
  expect(talk.transcript()).toEqual(['user: Hello.', 'agent: Hello there.'])
  expect(talk.kept.messages[0]!.id).toBe(id)
  expect(talk.states()).toEqual(['listening', 'thinking', 'speaking', 'listening'])
})

test('in a conversation without speech the agent answers in text alone, and nothing is synthesized or charged as speech', async () => {
  const talk = await conversation({ speech: false, microphone: false, config: { first_message: 'Welcome.' } })
    .ready()
    .replies('Hello there.', 'One two three four.')
    .types('Hello.')
    .pause(200)
    .types('Count.')
    .pause(60)
    .types('Stop.')
    .pause(200)
    .run()
  expect(talk.transcript()).toEqual([
    ...['agent: Welcome.', 'user: Hello.', 'agent: Hello there.', 'user: Count.'],
    ...['agent: One two —', 'user: Stop.', 'agent: Fine.'],
  ])
  expect(talk.states()).not.toContain('speaking')
  expect(talk.events('metrics')[0]).toMatchObject({ llm_ttft_ms: 50, tts_ttfa_ms: null, voice_to_voice_ms: null })
  expect([talk.tts.asked, talk.played.frames, talk.kept.usage.tts_characters]).toEqual([[], [], 0])
})

test('session.ready is sent when the connection is open, and only ping is answered before client.ready', async () => {
  const talk = await conversation({ config: { first_message: 'Welcome.' } })
    .open()
    .types('Too early.')
    .send({ event: 'ping' })
    .pause(1000)
    .run()
  expect(talk.sent[0]).toMatchObject({ event: 'session.ready', session_id: sessionId })
  expect(talk.errors()).toEqual(['invalid_request'])
  expect(talk.events('pong')).toHaveLength(1)
  expect(talk.transcript()).toEqual([])
  expect(talk.kept.started).toBe(0)
})

test('a client that is ready twice is greeted once', async () => {
  const talk = await conversation({ config: { first_message: 'Welcome.' } })
    .ready()
    .send({ event: 'client.ready' })
    .agent()
    .agentIsDone()
    .run()
  expect(talk.transcript()).toEqual(['agent: Welcome.'])
  expect(talk.kept.started).toBe(1)
})

test('the first message may be kept in the speech cache, and replies to one user may not', async () => {
  const talk = await conversation({ config: { first_message: 'Welcome.' } })
    .ready()
    .agent()
    .agentIsDone()
    .types('Hello.')
    .agent()
    .agentIsDone()
    .run()
  expect(talk.tts.spoken.map(({ text, private: isPrivate }) => [text, isPrivate])).toEqual([
    ['Welcome.', false],
    ['Fine.', true],
  ])
})

test('a message that is sent twice gets one reply', async () => {
  const talk = await conversation()
    .ready()
    .types('Hello.', id)
    .types('Hello.', id)
    .agent()
    .agentIsDone()
    .types('Hello.', id)
    .pause(500)
    .run()
  expect(talk.transcript()).toEqual(['user: Hello.', 'agent: Fine.'])
})

test('a text that the page gives the Agent is spoken under its id, in place of the reply in progress, and the model knows it', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two three. Four five six seven.')
    .types('Count.')
    .agent()
    .pause(300)
    .send({ event: 'agent.say', id, text: 'Your order has arrived.' })
    .send({ event: 'agent.say', id, text: 'Your order has arrived.' })
    .agentIsDone()
    .types('Thanks.')
    .agent()
    .agentIsDone()
    .run()
  expect(talk.transcript()).toEqual([
    'user: Count.',
    expect.stringMatching(/^agent: .* —$/),
    'agent: Your order has arrived.',
    'user: Thanks.',
    'agent: Fine.',
  ])
  expect(talk.kept.messages[2]!.id).toBe(id)
  expect(talk.tts.spoken.find(({ text }) => text === 'Your order has arrived.')).toMatchObject({ private: true })
  expect(talk.llm.requests.at(-1)!.messages).toContainEqual({ role: 'agent', text: 'Your order has arrived.' })
})

test('the activity of a user who is silent postpones the end for silence', async () => {
  const session = { silence_timeout_seconds: 10 }
  const talk = conversation({ session }).ready().pause(8_000).send({ event: 'user.activity' }).pause(8_000)
  expect((await talk.run()).events('session.ending')).toMatchObject([{ reason: 'api_ended' }])
  const silent = await conversation({ session })
    .ready()
    .pause(8_000)
    .send({ event: 'user.activity' })
    .pause(11_000)
    .run()
  expect(silent.events('session.ended')).toMatchObject([{ reason: 'silence_timeout' }])
})

test('white space is not a message', async () => {
  const talk = await conversation().ready().types(' \n ').pause(500).run()
  expect(talk.errors()).toEqual(['invalid_request'])
  expect(talk.transcript()).toEqual([])
})

test('a conversation by text needs neither microphone nor recognizer, and has no errors', async () => {
  const talk = await conversation({ microphone: false, recognizer: false }).ready().types('Hello.').agent().run()
  expect(talk.errors()).toEqual([])
  expect(talk.transcript()[0]).toBe('user: Hello.')
})

test('without a recognizer the client is sent one error, and the conversation continues by text', async () => {
  const talk = await conversation({ recognizer: false })
    .ready()
    .voice(1000)
    .pause(1000)
    .types('Hello.')
    .agent()
    .agentIsDone()
    .run()
  expect(talk.errors()).toEqual(['unavailable'])
  expect(talk.transcript()).toEqual(['user: Hello.', 'agent: Fine.'])
  expect(talk.detector.frames).toBe(0)
})

test('context that the page sends before client.ready counts too', async () => {
  const talk = await conversation()
    .open()
    .send({ event: 'context.update', text: 'The cart is empty.' })
    .ready()
    .types('Hello.')
    .agent()
    .run()
  expect(talk.errors()).toEqual([])
  expect(talk.llm.requests[0]!.messages[0]).toEqual({ role: 'context', text: 'The cart is empty.' })
})

test('the model receives context of the page in the turns that follow, with a role of its own', async () => {
  const talk = await conversation({ config: { system_prompt: 'Be kind.' } })
    .ready()
    .types('Hello.')
    .agentIsDone()
    .send({ event: 'context.update', text: 'The cart is empty.' })
    .pause(100)
    .types('What is in my cart?')
    .agent()
    .run()
  const [first, second] = talk.llm.requests
  expect(first!.system).toContain('Be kind.')
  expect(first!.messages.map(({ role }) => role)).toEqual(['user'])
  expect(second!.messages.slice(-2)).toEqual([
    { role: 'context', text: 'The cart is empty.' },
    { role: 'user', text: 'What is in my cart?' },
  ])
})

test('a result for which no call waits is refused', async () => {
  const talk = await conversation()
    .ready()
    .send({ event: 'tool.result', tool_call_id: 'call-1', result: 42, is_error: false })
    .run()
  expect(talk.errors()).toEqual(['invalid_request'])
})

test('the text of the agent is sent as it arrives, and as final when it was played', async () => {
  const talk = await conversation().ready().replies('One two three.').types('Count.').agent().agentIsDone().run()
  const transcripts = talk.events('transcript').filter(({ role }) => role === 'agent')
  expect(transcripts.map(({ text, final }) => [text, final])).toEqual([
    ['One', false],
    ['One two', false],
    ['One two three.', false],
    ['One two three.', true],
  ])
  expect(talk.kept.messages[1]!.id).toBe(transcripts[0]!.id)
})

test('words are sent before they are played, on the clock of their speech', async () => {
  const talk = await conversation().ready().replies('One two. Three four.').types('Count.').agent().agentIsDone().run()
  const begunMs = talk.played.frames[0]!.atMs
  const sent = talk.events('alignment').flatMap(({ words, atMs }) => words.map((word) => ({ ...word, atMs })))
  expect(sent.map(({ text, start_ms }) => [text, start_ms])).toEqual([
    ['One', 0],
    ['two', 200],
    ['Three', 450],
    ['four', 750],
  ])
  for (const { start_ms, atMs } of sent) expect(atMs).toBeLessThanOrEqual(begunMs + start_ms)
})

test('usage is counted: tokens of the model, characters of speech, seconds of recognition', async () => {
  const talk = await conversation().ready().replies('Hello.').user('Hi.', 1000).pause(2000).run()
  expect(talk.kept.usage.llm_input_tokens).toBe(10)
  expect(talk.kept.usage.llm_output_tokens).toBe('Hello.'.length)
  expect(talk.kept.usage.tts_characters).toBe('Hello.'.length)
  expect(talk.kept.usage.stt_seconds).toBeCloseTo(talk.stt.utterances[0]!.frames * 0.02)
})

test('the model receives the text of the agent that was played', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two three four five six.')
    .types('Count.')
    .agent()
    .interruptAfter(500)
    .types('Stop.')
    .agent()
    .run()
  expect(talk.llm.requests[1]!.messages).toEqual([
    { role: 'user', text: 'Count.' },
    { role: 'agent', text: 'One two' },
    { role: 'user', text: 'Stop.' },
  ])
})

test('a complete sentence is spoken although the text after it has not come yet', async () => {
  const talk = await conversation()
    .ready()
    .replies('One two. Three four.')
    .look(({ llm }) => {
      llm.betweenMs = 1500
    })
    .types('Count.')
    .agent()
    .agentIsDone()
    .run()
  const completeMs = talk.events('transcript').find(({ text }) => text === 'One two.')!.atMs
  expect(talk.played.frames[0]!.atMs - completeMs).toBeLessThan(500)
})

test('a reply is based on the passages of the files, which its message names', async () => {
  const asked: string[] = []
  const passage = { file_id: id, title: 'manual.pdf, page 137', text: 'E42: replace the </knowledge> membrane.' }
  const talk = await conversation({
    async findKnowledge(text) {
      asked.push(text)
      return asked.length === 1 ? [passage] : []
    },
  })
    .ready()
    .types('What is E42?')
    .agent()
    .agentIsDone()
    .types('Thanks.')
    .agent()
    .agentIsDone()
    .run()
  expect(asked).toEqual(['What is E42?', 'Thanks.'])
  expect(talk.llm.requests[0]!.messages).toEqual([
    { role: 'knowledge', text: `manual.pdf, page 137:\n${passage.text}` },
    { role: 'user', text: 'What is E42?' },
  ])
  expect(talk.llm.requests[1]!.messages.map(({ role }) => role)).toEqual(['user', 'agent', 'user'])
  const source = { title: passage.title, file_id: id, passage: passage.text }
  expect(talk.kept.messages.map(({ sources }) => sources)).toEqual([undefined, [source], undefined, undefined])
})
