import { randomUUID } from 'node:crypto'
import { type Handlers, type ServedContract, serve } from '@parlance/bus'
import { memoryContract } from '@parlance/contracts'
import { describeWithPrograms, fakeHandlers } from '@parlance/testing'
import type { Background } from '../../src/conversation/conversation.js'
import type { LanguageModel } from '../../src/llm/language-model.js'
import { connectClient } from '../fake-client.js'
import { createFakeParts, openFakeConversation } from '../fake-parts.js'
import { type Installation, startInstallation } from '../installation.js'

type Remembered = Parameters<Handlers<typeof memoryContract>['remember']>[0]

const gate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describeWithPrograms(['postgres'], 'a conversation of an Agent with memory', () => {
  let installation: Installation
  let workspaceId: string
  let agentId: string
  let memory: ServedContract | undefined
  const remembered: Remembered[] = []
  const backgrounds: Promise<Background>[] = []
  let asked = gate()
  let mayAnswer = gate()
  let recall: Handlers<typeof memoryContract>['recall'] = () => ({ facts: [] })
  let onRemembered = () => {}
  let stopping: Promise<void> | undefined

  /** Replies with a fact of the first message once `mayAnswer` is open. */
  const model: LanguageModel = {
    async *reply(_request, signal) {
      asked.open()
      await mayAnswer.opened
      signal.throwIfAborted()
      yield { event: 'text', text: '{"fact":"The user likes tea.","message":1}' }
      yield { event: 'done', inputTokens: 1_000, outputTokens: 50 }
    },
  }

  const serveMemory = async () => {
    const handlers = fakeHandlers(memoryContract, {
      recall: (request, context) => recall(request, context),
      remember(request) {
        remembered.push(request)
        onRemembered()
        return { kept: request.facts.length }
      },
    })
    memory = await serve(installation.bus, memoryContract, handlers, { instanceId: 'memory' })
  }
  const stopMemory = async () => {
    await memory?.stop()
    memory = undefined
  }

  beforeAll(async () => {
    installation = await startInstallation({
      environment: { SESSION_DRAIN_MS: '100' },
      parts: {
        ...createFakeParts(),
        findLanguageModel: () => model,
        openConversation(options) {
          backgrounds.push(options.background)
          return openFakeConversation(options)
        },
      },
    })
    workspaceId = await installation.newWorkspace()
  })
  afterAll(async () => {
    mayAnswer.open()
    await (stopping ?? installation.stop())
  })
  beforeEach(() => {
    agentId = installation.newAgent({ memory_enabled: true, llm_provider: 'openai' })
    asked = gate()
    mayAnswer = gate()
    remembered.length = 0
    recall = () => ({ facts: [{ id: randomUUID(), text: 'The user is called Ada.' }] })
  })

  const begin = async () => {
    const { session_id } = await installation.start(workspaceId, agentId, {}, randomUUID())
    const address = { workspace_id: workspaceId, session_id }
    const peer = connectClient(installation, address, 'sessions-0')
    await peer.send({ event: 'client.ready' })
    await peer.event('session.ready')
    return {
      peer,
      address,
      end: () => installation.live.endSession({ ...address, reason: 'api_ended' }, { instance: 'sessions-0' }),
    }
  }
  const say = async ({ peer }: Awaited<ReturnType<typeof begin>>, text: string) => {
    await peer.say(text)
    await peer.event('transcript', (event) => 'role' in event && event.role === 'user')
  }
  const nextRemembered = () =>
    new Promise<void>((resolve) => {
      onRemembered = resolve
    })

  test('has ended for its client, in its record and in the registry before facts are extracted from it', async () => {
    await serveMemory()
    const talk = await begin()
    expect(await backgrounds.at(-1)).toMatchObject({ memories: ['The user is called Ada.'] })
    await say(talk, 'I like tea.')
    await talk.end()
    await talk.peer.closed
    expect(talk.peer.events.at(-1)).toMatchObject({ event: 'session.ended' })
    await asked.opened
    const before = await installation.records.getSession(talk.address)
    expect(before).toMatchObject({ status: 'ended', usage: { llm_input_tokens: 10 } })
    expect(remembered).toEqual([])

    const stored = nextRemembered()
    mayAnswer.open()
    await stored
    const message_id = before.transcript[0]!.id
    expect(remembered).toMatchObject([{ facts: [{ text: 'The user likes tea.', message_id }] }])
    expect((await installation.records.getSession(talk.address)).usage).toMatchObject({
      llm_input_tokens: 1_010,
      llm_output_tokens: 55,
    })
    const period = { from: '2000-01-01T00:00:00.000Z', to: '2999-01-01T00:00:00.000Z' }
    for (;;) {
      const { usage } = await installation.credit.getUsage({ workspace_id: workspaceId, ...period, group_by: 'agent' })
      if (usage.find(({ key }) => key === agentId)?.llm_input_tokens === 1_010) break
    }
  })

  test('starts and ends normally while the memory service is unavailable', async () => {
    await stopMemory()
    const talk = await begin()
    expect(await backgrounds.at(-1)).toEqual({ memories: [], appointments: [], metadata: {} })
    mayAnswer.open()
    await say(talk, 'I like tea.')
    await talk.end()
    expect(await installation.records.getSession(talk.address)).toMatchObject({ status: 'ended', error: null })
    await serveMemory()
  })

  test('does not wait for a memory service that hangs', async () => {
    const hanging = gate()
    recall = async () => {
      await hanging.opened
      return { facts: [] }
    }
    const talk = await begin()
    await talk.peer.say('Hello.')
    await talk.peer.event('transcript', (event) => 'role' in event && event.role === 'agent')
    hanging.open()
    mayAnswer.open()
    const stored = nextRemembered()
    await talk.end()
    await stored
  })

  test('has no facts extracted when the user sends no message', async () => {
    mayAnswer.open()
    const silent = await begin()
    await silent.end()
    // Facts are extracted from the next conversation only.
    const stored = nextRemembered()
    const talk = await begin()
    await say(talk, 'I like tea.')
    await talk.end()
    await stored
    expect(remembered.map(({ session_id }) => session_id)).toEqual([talk.address.session_id])
  })

  test('has its facts extracted before the process stops', async () => {
    const talk = await begin()
    await say(talk, 'I like tea.')
    stopping = installation.stop()
    await asked.opened
    mayAnswer.open()
    await stopping
    expect(remembered.map(({ session_id }) => session_id)).toEqual([talk.address.session_id])
  })
})
