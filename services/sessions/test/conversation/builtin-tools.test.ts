import type { AgentConfig } from '@parlance/contracts'
import { createBuiltinTools } from '../../src/tools/builtin-tools.js'
import { fakeTool } from './fake-tools.js'
import { conversation, fakeTime } from './scenario.js'

fakeTime()

const builtin = (
  name: Extract<AgentConfig['tools'][number], { type: 'builtin' }>['name'],
  agents: string[] | null = null,
) => ({ type: 'builtin' as const, name, agents })

test('a model is offered the built-in tools of its Agent alone, and a transfer only to others that it may reach', async () => {
  const offered = async (pageTools: AgentConfig['tools'], others: Record<string, string>) => {
    const talk = await conversation({ pageTools, others }).ready().types('Hello.').agent().agentIsDone().run()
    return talk.llm.requests[0]!.tools
  }
  expect(await offered([builtin('skip_turn')], { sales: '' })).toMatchObject([{ name: 'skip_turn' }])
  expect(await offered([builtin('transfer_to_agent')], { 'an-agent': '' })).toEqual([])
  expect(
    await offered([builtin('transfer_to_agent', ['sales'])], { sales: '', 'an-agent': '', staff: '' }),
  ).toMatchObject([{ name: 'transfer_to_agent', parameters: { properties: { agent: { enum: ['sales'] } } } }])
})

describe('end_call', () => {
  test('ends the conversation when the reply was played to its end, and takes no more input', async () => {
    const talk = await conversation({ pageTools: [builtin('end_call')] })
      .ready()
      .replies({ text: 'It was nice to meet you.', calls: [['end_call', { message: 'Goodbye.' }]] })
      .types('Goodbye!')
      .agent()
      .pause(300)
      .types('Wait!')
      .isOver()
      .run()
    expect(talk.ended()).toEqual({ reason: 'agent_ended', error: null })
    expect(talk.transcript()).toEqual(['user: Goodbye!', 'agent: It was nice to meet you.'])
    expect(talk.llm.requests).toHaveLength(1)
    expect(talk.kept.toolCalls).toMatchObject([{ name: 'end_call', outcome: 'succeeded' }])
  })

  test('speaks its message where the model has said nothing', async () => {
    const talk = await conversation({ pageTools: [builtin('end_call')] })
      .ready()
      .replies({ calls: [['end_call', { message: 'Goodbye.' }]] })
      .types('Bye.')
      .isOver()
      .run()
    expect(talk.transcript()).toEqual(['user: Bye.', 'agent: Goodbye.'])
    expect(talk.ended()!.reason).toBe('agent_ended')
  })
})

test('skip_turn says nothing, and the conversation goes on', async () => {
  const talk = await conversation({ pageTools: [builtin('skip_turn')] })
    .ready()
    .replies({ calls: ['skip_turn'] }, 'Here I am.')
    .user('Hold on, please.')
    .pause(3000)
    .look(({ played, states, errors }) => {
      expect(played.frames).toEqual([])
      expect(states().at(-1)).toBe('listening')
      expect(errors()).toEqual([])
    })
    .user('I am back.')
    .agent()
    .agentIsDone()
    .run()
  expect(talk.transcript()).toEqual(['user: Hold on, please.', 'user: I am back.', 'agent: Here I am.'])
  expect(talk.kept.toolCalls).toMatchObject([{ name: 'skip_turn' }])
})

describe('transfer_to_agent', () => {
  const setup = {
    pageTools: [builtin('transfer_to_agent')],
    others: { sales: 'You sell.' },
    tools: [fakeTool('find_order', { result: { text: 'Order 7' } })],
    config: { system_prompt: 'You greet.' },
  }
  const toSales = { calls: [['transfer_to_agent', { agent: 'sales', message: 'One moment.' }] as const] }

  test('goes on with the prompt, the voice and the tools of the other Agent, which knows what was said', async () => {
    const talk = await conversation(setup)
      .ready()
      .replies({ calls: ['find_order'] }, toSales, 'What would you like to buy?', 'Fine.')
      .types('I want to buy.')
      .agent()
      .agentIsDone()
      .types('A hat.')
      .agent()
      .agentIsDone()
      .run()
    expect(talk.transcript()).toEqual([
      'user: I want to buy.',
      'agent: One moment.',
      'agent: What would you like to buy?',
      'user: A hat.',
      'agent: Fine.',
    ])
    expect(talk.spokenByOthers).toEqual(['sales: What would you like to buy?', 'sales: Fine.'])
    expect(talk.llm.requests.map(({ system }) => /You (greet|sell)/.exec(system)![1])).toEqual([
      'greet',
      'greet',
      'sell',
      'sell',
    ])
    const { messages, tools } = talk.llm.requests[2]!
    expect(tools).toEqual([])
    expect(messages.filter(({ text }) => text !== '')).toMatchObject([
      { role: 'user', text: 'I want to buy.' },
      { role: 'context', text: 'Result of find_order: Order 7' },
      { role: 'agent', text: 'One moment.' },
      { role: 'context', text: expect.stringContaining('sales') },
    ])
    expect(talk.kept.toolCalls.at(-1)).toMatchObject({ name: 'transfer_to_agent', arguments: { agent: 'sales' } })
    // The turns that are measured are the answers to the user.
    expect(talk.events('metrics')).toHaveLength(2)
  })

  test('lets the other Agent answer a user who interrupts the transfer', async () => {
    const talk = await conversation(setup)
      .ready()
      .replies(
        { calls: [['transfer_to_agent', { agent: 'sales', message: 'One moment, I will connect you.' }]] },
        'At nine.',
      )
      .types('I want to buy.')
      .agent()
      .interruptAfter(500)
      .types('When do you open?')
      .agent()
      .agentIsDone()
      .run()
    expect(talk.transcript().at(-1)).toBe('agent: At nine.')
    expect(talk.spokenByOthers).toEqual(['sales: At nine.'])
  })
})

describe('transfer_call', () => {
  const number = '+4930654321'
  const toolOf = (transferCall: Parameters<typeof createBuiltinTools>[0]['transferCall'], onEnd = () => {}) => {
    const tools = [{ ...builtin('transfer_call'), numbers: [number] }]
    const options = { config: { slug: 'an-agent', tools }, transfer: undefined, onEnd, onTransfer: () => {} }
    return createBuiltinTools({ ...options, transferCall })[0]
  }
  const context = { callId: 'a', turn: 1, userText: '', playedText: '', signal: new AbortController().signal }

  test('is offered in telephone calls alone, with the numbers of the tool', () => {
    expect(toolOf(undefined)).toBeUndefined()
    expect(toolOf(async () => ({ text: '', isError: false }))).toMatchObject({
      name: 'transfer_call',
      parameters: { properties: { number: { enum: [number] } } },
    })
  })

  test('ends the conversation with its message, unless the call cannot be transferred', async () => {
    const ended: string[] = []
    const tool = toolOf(
      async (to) => ({ text: '', isError: to !== number }),
      () => ended.push('ended'),
    )!
    expect(await tool.call({ number, message: 'One moment.' }, context)).toMatchObject({
      isError: false,
      endsTurn: true,
      spoken: 'One moment.',
    })
    expect(ended).toHaveLength(1)
    expect(await tool.call({ number: '+1' }, context)).toMatchObject({ isError: true })
    expect(ended).toHaveLength(1)
  })
})
