import { fakeTool, pageTool } from './fake-tools.js'
import { conversation, fakeTime } from './scenario.js'

fakeTime()

describe('interrupted tools', () => {
  test('a user who speaks while a tool runs ends the turn: the tool is cancelled, and its result has no effect', async () => {
    const endless = fakeTool('endless', { ms: 2000, ignoresSignal: true })
    const well = fakeTool('well', { ms: 2000 })
    const talk = await conversation({ tools: [endless, well] })
      .ready()
      .replies({ calls: ['endless', 'well'] }, 'All right.')
      .types('Do it.')
      .pause(500)
      .types('No, do not.')
      .agent()
      .agentIsDone()
      .pause(5000)
      .run()
    expect(well.calls).toMatchObject([{ outcome: 'cancelled' }])
    expect(endless.calls).toMatchObject([{ outcome: 'answered' }])
    expect(talk.transcript()).toEqual(['user: Do it.', 'user: No, do not.', 'agent: All right.'])
    expect(talk.llm.requests).toHaveLength(2)
    expect(talk.answers()).toHaveLength(2)
    expect(talk.answers()[0]).toContain('not known whether it was done')
  })

  test('a voice without words does not cancel a tool', async () => {
    const well = fakeTool('well', { ms: 3000 })
    const talk = await conversation({ tools: [well] })
      .ready()
      .replies({ calls: ['well'] }, 'Done.')
      .types('Do it.')
      .pause(200)
      .voice(600)
      .pause(8000)
      .run()
    expect(well.calls).toMatchObject([{ outcome: 'answered' }])
    expect(talk.transcript()[1]).toContain('Done.')
  })

  test('the next turn receives the text before and after a call up to the last played word', async () => {
    const talk = await conversation({ tools: [fakeTool('well')] })
      .ready()
      .replies({ text: 'Let me look.', calls: ['well'] }, 'One two three four five six seven eight nine ten.')
      .types('Count.')
      .agent()
      .interruptAfter(1500)
      .types('Stop.')
      .agent()
      .run()
    const playedText = talk.events('interruption')[0]!.text_heard
    expect(playedText).toMatch(/^Let me look\. One.*(?<!ten\.)$/)
    const [, calls, agent] = talk.llm.requests.at(-1)!.messages
    expect(calls).toMatchObject({ role: 'calls', text: 'Let me look.' })
    expect(`Let me look. ${agent!.text}`).toBe(playedText)
  })

  test('a tool is cancelled when the client is lost', async () => {
    const well = fakeTool('well', { ms: 5000 })
    const talk = await conversation({ tools: [well], pageTools: [pageTool('open_page')] })
      .ready()
      .replies({ calls: ['well', 'open_page'] })
      .types('Do it.')
      .pause(500)
      .lost('connection_lost')
      .isOver()
      .run()
    expect(well.calls).toMatchObject([{ outcome: 'cancelled' }])
    expect(talk.llm.requests).toHaveLength(1)
  })

  test('the end of a conversation waits for a tool until the deadline', async () => {
    const talk = await conversation({ tools: [fakeTool('well', { ms: 1000 })] })
      .ready()
      .replies({ calls: ['well'] }, 'Done.')
      .types('Do it.')
      .pause(300)
      .end('drained', 5000)
      .isOver()
      .run()
    expect(talk.transcript().at(-1)).toBe('agent: Done.')
  })

  test('a reply that is aborted is counted by its characters', async () => {
    const text = 'One two three four five six seven eight nine ten eleven twelve.'
    const talk = await conversation()
      .ready()
      .look(({ llm }) => {
        llm.betweenMs = 500
      })
      .replies(text)
      .types('Count.')
      .agent()
      .send({ event: 'interrupt' })
      .pause(1000)
      .run()
    const { llm_input_tokens: input, llm_output_tokens: output } = talk.kept.usage
    expect(input).toBeGreaterThan(100)
    expect(output).toBeGreaterThan(0)
    expect(output).toBeLessThan(text.length / 4)
  })
})
