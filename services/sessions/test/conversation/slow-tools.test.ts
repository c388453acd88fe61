import { fakeTool } from './fake-tools.js'
import { conversation, fakeTime } from './scenario.js'

fakeTime()

describe('slow tools', () => {
  const slow = (ms: number) => fakeTool('slow', { ms })

  test.each([
    ['en-GB', 'One moment, please.'],
    ['de', 'Einen Moment, bitte.'],
    ['ja', '少々お待ちください。'],
  ])('after a second and a half of tools the agent speaks a filler (%s)', async (voice, filler) => {
    const talk = await conversation({ tools: [slow(4000)], voice })
      .ready()
      .replies({ calls: ['slow'] }, 'Done.')
      .types('Do it.')
      .pause(1500)
      .look(({ tts }) => expect(tts.spoken).toEqual([]))
      .pause(100)
      .look(({ tts }) => expect(tts.spoken.map(({ text }) => text)).toEqual([filler]))
      .agent()
      .agentIsDone()
      .run()
    expect(talk.transcript().at(-1)).toBe(`agent: ${filler} Done.`)
    expect(talk.llm.requests[1]!.messages.at(-1)).toMatchObject({ role: 'calls', text: filler })
  })

  test('the filler is spoken once in a turn, however many tools are slow', async () => {
    const talk = await conversation({ tools: [slow(2000)] })
      .ready()
      .replies({ calls: ['slow'] }, { calls: ['slow'] }, 'Done.')
      .types('Do it.')
      .agent()
      .agentIsDone()
      .run()
    expect(talk.transcript().at(-1)).toBe('agent: One moment, please. Done.')
  })

  test('the times of several tools add up to one wait', async () => {
    const talk = await conversation({ tools: [slow(900)] })
      .ready()
      .replies({ calls: ['slow'] }, { calls: ['slow'] }, 'Done.')
      .types('Do it.')
      .agent()
      .agentIsDone()
      .run()
    expect(talk.transcript().at(-1)).toBe('agent: One moment, please. Done.')
  })

  test('there is no filler after text of the model, nor for fast tools', async () => {
    const talk = await conversation({ tools: [slow(3000), fakeTool('fast', { ms: 1400 })] })
      .ready()
      .replies({ text: 'Wait.', calls: ['slow'] }, 'Done.', { calls: ['fast'] }, 'Done.')
      .types('Do it.')
      .agent()
      .agentIsDone()
      .types('Do it fast.')
      .agent()
      .agentIsDone()
      .run()
    expect(talk.transcript()).toEqual(['user: Do it.', 'agent: Wait. Done.', 'user: Do it fast.', 'agent: Done.'])
  })

  test('there is no filler while the agent is still speaking', async () => {
    const long = 'I will look at two things for you, one after the other, which may take a while.'
    const talk = await conversation({ tools: [fakeTool('fast', { ms: 10 }), slow(2000)] })
      .ready()
      .replies({ text: long, calls: ['fast'] }, { calls: ['slow'] }, 'Done.')
      .types('Do it.')
      .agent()
      .agentIsDone()
      .run()
    expect(talk.transcript().at(-1)).toBe(`agent: ${long} Done.`)
  })

  test('there is no filler in a language without a phrase for it', async () => {
    const talk = await conversation({ tools: [slow(4000)], voice: 'cy' })
      .ready()
      .replies({ calls: ['slow'] }, 'Done.')
      .types('Do it.')
      .agent()
      .agentIsDone()
      .run()
    expect(talk.transcript().at(-1)).toBe('agent: Done.')
  })
})
