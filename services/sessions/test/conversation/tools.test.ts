import { fakeTool, pageTool } from './fake-tools.js'
import { conversation, fakeTime } from './scenario.js'

fakeTime()

describe('a turn with tools', () => {
  test('the result of a tool goes back to the model, which then replies', async () => {
    const weather = fakeTool('weather', { result: { text: '5 degrees' } })
    const talk = await conversation({ tools: [weather] })
      .ready()
      .replies({ calls: [['weather', { city: 'Berlin' }]] }, 'It is five degrees.')
      .types('How cold is it in Berlin?')
      .agent()
      .agentIsDone()
      .run()
    expect(weather.calls).toMatchObject([{ args: { city: 'Berlin' }, userText: 'How cold is it in Berlin?' }])
    expect(talk.answers()).toEqual(['weather: 5 degrees'])
    expect(talk.transcript()).toEqual(['user: How cold is it in Berlin?', 'agent: It is five degrees.'])
    expect(talk.kept.usage).toMatchObject({ llm_input_tokens: 20 })
    expect(talk.events('metrics')).toHaveLength(1)
  })

  test('a tool receives the text of the user, and the number of the turn', async () => {
    const tool = fakeTool('confirm')
    const talk = await conversation({ tools: [tool] })
      .ready()
      .replies({ calls: ['confirm'] }, { calls: ['confirm'] }, 'Shall I?', { calls: ['confirm'] }, 'Done.')
      .types('Cancel it.')
      .agent()
      .agentIsDone()
      .user('Yes.')
      .agent()
      .agentIsDone()
      .run()
    const [first, second, third] = tool.calls
    expect([first!.userText, second!.userText, third!.userText]).toEqual(['Cancel it.', 'Cancel it.', 'Yes.'])
    expect(second!.turn).toBe(first!.turn)
    expect(third!.turn).toBeGreaterThan(second!.turn)
    expect(talk.transcript().at(-1)).toBe('agent: Done.')
  })

  test('text before a call is spoken while the tool runs, and is one message with the text after it', async () => {
    const talk = await conversation({ tools: [fakeTool('weather', { ms: 3000 })] })
      .ready()
      .replies({ text: 'Let me look.', calls: ['weather'] }, 'It is cold.')
      .types('How cold is it?')
      .agent()
      .pause(1000)
      .look(({ tts, tools }) => {
        expect(tts.spoken.map(({ text }) => text)).toEqual(['Let me look.'])
        expect(tools[0]).toMatchObject({ calls: [{ outcome: 'open' }] })
      })
      .agentIsDone()
      .run()
    expect(talk.transcript()).toEqual(['user: How cold is it?', 'agent: Let me look. It is cold.'])
    expect(talk.states()).toEqual(['listening', 'thinking', 'speaking', 'listening'])
  })

  test('two tools of one reply run at the same time', async () => {
    const [one, other] = [fakeTool('one', { ms: 1000 }), fakeTool('other', { ms: 800 })]
    const talk = await conversation({ tools: [one, other] })
      .ready()
      .replies({ calls: ['one', 'other'] }, 'Both are done.')
      .types('Do both.')
      .pause(1100)
      .look(({ llm }) => expect(llm.requests).toHaveLength(2))
      .agentIsDone()
      .run()
    expect(talk.answers()).toEqual(['one: one is done', 'other: other is done'])
    expect(new Set([...one.calls, ...other.calls].map(({ callId }) => callId)).size).toBe(2)
  })

  test('after three steps the model may only speak', async () => {
    const again = fakeTool('again')
    const calls = { calls: ['again'] }
    const talk = await conversation({ tools: [again] })
      .ready()
      .replies(calls, calls, calls, { text: 'Enough.', calls: ['again'] })
      .types('Again and again.')
      .agent()
      .agentIsDone()
      .run()
    expect(again.calls).toHaveLength(3)
    expect(talk.llm.requests.map(({ mayCall }) => mayCall)).toEqual([true, true, true, false])
    expect(talk.transcript().at(-1)).toBe('agent: Enough.')
  })

  test('a model that only calls tools ends its turn with an error, not with silence, and may answer the next turn', async () => {
    const calls = ['weather']
    const talk = await conversation({ tools: [fakeTool('weather')] })
      .ready()
      .replies({ calls }, { calls }, { calls }, { calls })
      .types('Weather?')
      .pause(2000)
      .types('Hello?')
      .agent()
      .agentIsDone()
      .run()
    expect(talk.calls()).toHaveLength(3)
    expect(talk.errors()).toEqual(['upstream_error'])
    expect(talk.states()).toEqual(['listening', 'thinking', 'listening', 'thinking', 'speaking', 'listening'])
    expect(talk.transcript()).toEqual(['user: Weather?', 'user: Hello?', 'agent: Fine.'])
  })

  test('the next turn receives the calls of the turn before, and may call again', async () => {
    const talk = await conversation({ tools: [fakeTool('weather', { result: { text: 'x'.repeat(5000) } })] })
      .ready()
      .replies({ calls: ['weather'] }, 'Cold.', 'As I said.')
      .types('Weather?')
      .agent()
      .agentIsDone()
      .types('What?')
      .agent()
      .agentIsDone()
      .run()
    const [, inTurn, next] = talk.llm.requests
    expect(inTurn!.messages.at(-1)).toMatchObject({ role: 'calls', calls: [{ result: 'x'.repeat(5000) }] })
    expect(next!.mayCall).toBe(true)
    expect(next!.messages).toMatchObject([
      { role: 'user', text: 'Weather?' },
      { role: 'calls', calls: [{ name: 'weather', result: `${'x'.repeat(2000)} … (the rest is cut off)` }] },
      { role: 'agent', text: 'Cold.' },
      { role: 'user', text: 'What?' },
    ])
  })

  test('the model of a conversation without tools receives none', async () => {
    const talk = await conversation().ready().types('Hello.').agent().run()
    expect(talk.llm.requests[0]).toMatchObject({ tools: [], mayCall: false })
  })

  test('sources are kept with the message that is spoken after the search, each once', async () => {
    const source = { title: 'A page', url: 'https://example.com/' }
    const search = fakeTool('search', { result: { sources: [source, source] } })
    const talk = await conversation({ tools: [search] })
      .ready()
      .replies({ calls: ['search', 'search'] }, 'Found.', 'Nothing new.')
      .types('Search.')
      .agent()
      .agentIsDone()
      .types('And now?')
      .agent()
      .agentIsDone()
      .run()
    expect(talk.kept.messages.map(({ sources }) => sources)).toEqual([undefined, [source], undefined, undefined])
  })

  test('context that the page sends while a tool runs is in the next request to the model', async () => {
    const talk = await conversation({ pageTools: [pageTool('open_page')] })
      .ready()
      .replies({ calls: ['open_page'] })
      .types('Open the cart.')
      .pageIsCalled()
      .send({ event: 'context.update', text: 'The cart is open.' })
      .pageAnswers(true)
      .agent()
      .run()
    const roles = talk.llm.requests.map(({ messages }) => messages.map(({ role }) => role))
    expect(roles).toEqual([['user'], ['context', 'user', 'calls']])
  })
})

describe('tools that go wrong', () => {
  test('the model receives the failure of a tool without its internal detail', async () => {
    const broken = fakeTool('broken', { fails: new TypeError('secret') })
    const talk = await conversation({ tools: [broken, fakeTool('well')] })
      .ready()
      .replies({ calls: ['broken', 'well'] }, 'Half of it is done.')
      .types('Do both.')
      .agent()
      .agentIsDone()
      .run()
    expect(talk.answers()).toEqual(['broken: The tool failed.', 'well: well is done'])
    expect(talk.errors()).toEqual([])
    expect(JSON.stringify([talk.sent, talk.llm.requests])).not.toContain('secret')
  })

  test.each([false, true])(
    'a tool that is too slow is stopped at its timeout (ignores its signal: %s)',
    async (ignoresSignal) => {
      const slow = fakeTool('slow', { ms: 9000, timeoutMs: 1000, ignoresSignal })
      const talk = await conversation({ tools: [slow] })
        .ready()
        .replies({ calls: ['slow'] }, 'It takes too long.')
        .types('Do it.')
        .pause(1200)
        .look(({ llm }) => expect(llm.requests).toHaveLength(2))
        .agent()
        .agentIsDone()
        .pause(10_000)
        .run()
      expect(slow.calls[0]!.signal.aborted).toBe(true)
      expect(talk.answers()[0]).toContain('did not answer within 1000 ms')
      expect(talk.llm.requests).toHaveLength(2)
    },
  )

  test('a result that is too long is cut', async () => {
    const talk = await conversation({ tools: [fakeTool('long', { result: { text: '😀'.repeat(50_000) } })] })
      .ready()
      .replies({ calls: ['long'] })
      .types('Do it.')
      .agent()
      .run()
    const [answer] = talk.answers()
    expect(answer!.length).toBeLessThan(8100)
    expect(answer).toMatch(/cut off\)$/)
    expect(answer!.isWellFormed()).toBe(true)
  })

  test('the results of one step share one limit of characters', async () => {
    const talk = await conversation({ tools: [fakeTool('long', { result: { text: 'x'.repeat(8000) } })] })
      .ready()
      .replies({ calls: Array(8).fill('long') })
      .types('Do it.')
      .agent()
      .run()
    expect(talk.answers()).toHaveLength(8)
    expect(talk.answers().join('').length).toBeLessThan(16_500)
  })

  test('a model that fails after a call has failed, and the next turn receives the call', async () => {
    const talk = await conversation({ tools: [fakeTool('book')] })
      .ready()
      .replies({ calls: ['book'] }, { text: '', fails: new Error('broken') }, 'It was booked.')
      .types('Book.')
      .pause(1000)
      .types('And?')
      .agent()
      .agentIsDone()
      .run()
    expect(talk.errors()).toEqual(['internal_error'])
    expect(talk.answers()).toEqual(['book: book is done'])
  })
})

describe('the record of calls', () => {
  test('has each call with its arguments, its result or its error, its times and the message that it belongs to', async () => {
    const weather = fakeTool('weather', { ms: 250, result: { text: 'Sunny' } })
    const broken = fakeTool('broken', { ms: 100, fails: new Error('inner detail') })
    const talk = await conversation({ tools: [weather, broken] })
      .ready()
      .replies({ text: 'Let me look.', calls: [['weather', { city: 'Rome' }], 'broken', 'unknown'] }, 'It is sunny.')
      .types('Weather?')
      .agent()
      .agentIsDone()
      .run()
    const message_id = talk.kept.messages.at(-1)!.id
    const call = (name: string, args: object, outcome: string, result: string, ms: number) => ({
      ...{ id: expect.any(String), message_id, name, arguments: args, outcome, result },
      ...{ started_at: expect.stringMatching(/Z$/), duration_ms: expect.closeTo(ms, 0) },
    })
    expect(talk.kept.toolCalls).toEqual([
      call('unknown', {}, 'failed', 'There is no such tool.', 0),
      call('broken', {}, 'failed', 'The tool failed.', 100),
      call('weather', { city: 'Rome' }, 'succeeded', 'Sunny', 250),
    ])
    // A webhook and a page are given the same id.
    expect(talk.kept.toolCalls[2]!.id).toBe(weather.calls[0]!.callId)
  })

  test('has a call that the user interrupted without a result', async () => {
    const talk = await conversation({ tools: [fakeTool('slow', { ms: 3000 })] })
      .ready()
      .replies({ calls: ['slow'] }, 'All right.')
      .types('Do it.')
      .pause(500)
      .types('No, do not.')
      .agent()
      .agentIsDone()
      .run()
    expect(talk.kept.toolCalls).toMatchObject([{ name: 'slow', outcome: 'interrupted', result: null }])
    // Nothing of the reply was played, so its message is not in the transcript.
    expect(talk.kept.messages.map(({ id }) => id)).not.toContain(talk.kept.toolCalls[0]!.message_id)
  })

  test('is bounded: long arguments are the beginning of their text', async () => {
    const talk = await conversation({ tools: [fakeTool('save')] })
      .ready()
      .replies({ calls: [['save', { text: 'x'.repeat(15_000) }]] }, 'Done.')
      .types('Save it.')
      .agent()
      .agentIsDone()
      .run()
    const args = talk.kept.toolCalls[0]!.arguments
    expect(args).toMatch(/^\{"text":"x+ … \(the rest is cut off\)$/)
    expect(String(args).length).toBeLessThan(8_100)
  })
})
