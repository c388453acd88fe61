import { randomUUID } from 'node:crypto'
import type { ServiceError } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import type { ConversationOptions } from '../../src/conversation/conversation.js'
import { connectClient } from '../fake-client.js'
import { createFakeParts } from '../fake-parts.js'
import { type Installation, startInstallation } from '../installation.js'

describeWithPrograms(['postgres'], 'starting a conversation', () => {
  let installation: Installation
  let workspaceId: string
  const broken = { openPlayback: false }
  /** The languages of the recognizers that are kept warm. */
  const warm: string[] = []
  const opened: ConversationOptions[] = []

  beforeAll(async () => {
    installation = await startInstallation({
      environment: { SESSION_LIMIT: '4', SESSION_CREDIT_PER_MINUTE: '6' },
      parts: {
        openConversation(options) {
          opened.push(options)
          return createFakeParts().openConversation(options)
        },
        findRecognizer: (language) => ({
          name: 'fake',
          languages: undefined,
          close: async () => {},
          keepWarm: () => {
            warm.push(language)
            return () => void warm.splice(warm.indexOf(language), 1)
          },
          open: () => {
            throw new Error('this test has no speech')
          },
        }),
        createPlayback: (transport) => {
          if (broken.openPlayback) throw new Error('out of memory')
          return createFakeParts().createPlayback(transport)
        },
      },
    })
    workspaceId = await installation.newWorkspace()
  })
  afterAll(() => installation.stop())

  const codeOf = async (starting: Promise<unknown>): Promise<string | undefined> =>
    starting.then(
      () => undefined,
      (error: ServiceError) => error.code,
    )
  const startWith = (token: { token: string; grant: object }, request: object = { transport: 'websocket' }) =>
    installation.live.startSession({
      ...(token as Awaited<ReturnType<Installation['newToken']>>),
      request: request as { transport: 'websocket' },
    })
  const hangUp = (session_id: string) =>
    installation.live.endSession(
      { workspace_id: workspaceId, session_id, reason: 'api_ended' },
      { instance: 'sessions-0' },
    )
  const reserved = async (workspace_id: string) => (await installation.credit.getBalance({ workspace_id })).reserved

  test('with an invalid offer leaves no trace, and the token unused', async () => {
    const token = await installation.newToken(workspaceId, installation.newAgent())
    expect(await codeOf(startWith(token, { sdp: { type: 'offer', sdp: 'v=0' } }))).toBe('invalid_sdp')
    expect((await installation.records.listSessions({ workspace_id: workspaceId })).sessions).toEqual([])
    const { session_id } = await startWith(token)
    expect(await codeOf(startWith(token))).toBe('session_token_used')
    await hangUp(session_id)
  })

  test('keeps the recognizer of its language warm from before the client connects to its end, unless it sends only text', async () => {
    const start = async (request: object) => {
      const token = await installation.newToken(workspaceId, installation.newAgent())
      return startWith(token, { transport: 'websocket', ...request })
    }
    const silent = await start({ modalities: ['text'] })
    expect(warm).toEqual([])
    const spoken = [await start({}), await start({})]
    expect(warm).toEqual(['en', 'en'])
    for (const { session_id } of [silent, ...spoken]) await hangUp(session_id)
    while (warm.length > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  test('without credit for its first half minute leaves the token unused', async () => {
    const poor = await installation.newWorkspace('2.999999999')
    const agentId = installation.newAgent()
    const token = await installation.newToken(poor, agentId)
    expect(await codeOf(startWith(token))).toBe('insufficient_credit')
    expect(await reserved(poor)).toBe('0.00')
    expect((await installation.records.listSessions({ workspace_id: poor })).sessions).toEqual([])
    await installation.credit.grant({ workspace_id: poor, amount: '0.000000001', reference: 'more' })
    const { session_id } = await startWith(token)
    expect(await reserved(poor)).toBe('3.00')
    await installation.records.deleteSession({ workspace_id: poor, session_id })
  })

  test('at the limit of the Agent is refused for its credit first, and leaves no credit reserved', async () => {
    const agentId = installation.newAgent({ session_config: { max_concurrent_sessions: 1 } })
    const here = await installation.newWorkspace('5')
    const { session_id } = await startWith(await installation.newToken(here, agentId))
    // 2 credits are left: less than the 3 of the first half minute.
    expect(await codeOf(startWith(await installation.newToken(here, agentId)))).toBe('insufficient_credit')
    await installation.credit.grant({ workspace_id: here, amount: '1', reference: 'more' })
    expect(await codeOf(startWith(await installation.newToken(here, agentId)))).toBe('concurrency_limited')
    while ((await reserved(here)) !== '3.00') await new Promise((resolve) => setImmediate(resolve))
    await installation.records.deleteSession({ workspace_id: here, session_id })
  })

  test('gives back what it has taken when the last step fails', async () => {
    const here = await installation.newWorkspace()
    const token = await installation.newToken(here, installation.newAgent())
    broken.openPlayback = true
    expect(await codeOf(startWith(token))).toBe('internal_error')
    broken.openPlayback = false
    expect((await installation.records.listSessions({ workspace_id: here })).sessions).toEqual([])
    while ((await reserved(here)) !== '0.00') await new Promise((resolve) => setImmediate(resolve))
    expect(warm).toEqual([])
  })

  test('takes the overrides that the Agent allows, and refuses others with the token unused', async () => {
    const agentId = installation.newAgent({
      session_config: { overrides: ['system_prompt', 'first_message', 'voice_id', 'language'] },
    })
    const refusal = async (token: Awaited<ReturnType<Installation['newToken']>>, overrides: object) =>
      startWith(token, { transport: 'websocket', overrides }).then(
        () => undefined,
        ({ code, detail }: ServiceError) => `${code} ${detail}`,
      )
    const token = await installation.newToken(workspaceId, agentId)
    expect(await refusal(token, { language: 'de' })).toBe(
      'invalid_request overrides.language: the voice Ada speaks en-GB.',
    )
    const strict = await installation.newToken(workspaceId, installation.newAgent())
    expect(await refusal(strict, { first_message: 'Hi.' })).toMatch(
      /^invalid_request overrides\.first_message: the Agent does not allow it/,
    )
    await hangUp((await startWith(strict)).session_id)
    const overrides = { system_prompt: 'You sell to {{end_user_id}}.', first_message: 'Hi.', language: 'en' }
    await hangUp((await startWith(token, { transport: 'websocket', overrides })).session_id)
    expect(opened.at(-1)!.config).toMatchObject({
      system_prompt: 'You sell to .',
      first_message: 'Hi.',
      stt_config: { language: 'en' },
      voice_config: { language: 'en' },
    })
  })

  test('needs an Agent that is published, with a voice', async () => {
    const token = await installation.newToken(workspaceId, installation.newAgent())
    const gone = { ...token, grant: { ...token.grant, agent_id: randomUUID() } }
    expect(await codeOf(startWith(gone))).toBe('agent_not_found')
  })

  test('is possible up to SESSION_LIMIT, and again when one has ended', async () => {
    const agentId = installation.newAgent()
    const tokens = await Promise.all(Array.from({ length: 12 }, () => installation.newToken(workspaceId, agentId)))
    const outcomes = await Promise.allSettled(tokens.map((token) => startWith(token)))
    const ids = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.session_id] : []))
    expect(ids).toHaveLength(4)
    // A full instance leaves the queue group, and there is no other instance.
    expect(await codeOf(startWith(tokens.at(-1)!))).toBe('unavailable')
    await hangUp(ids[0]!)
    const { session_id } = await startWith(tokens.at(-1)!)
    for (const id of [...ids.slice(1), session_id]) await hangUp(id)
  })
})

describeWithPrograms(['postgres'], 'the end of a conversation', () => {
  let installation: Installation
  let workspaceId: string
  beforeAll(async () => {
    installation = await startInstallation({ environment: { SESSION_DRAIN_MS: '200' } })
    workspaceId = await installation.newWorkspace()
  })

  const begin = async (agentId: string) => {
    const { session_id } = await installation.start(workspaceId, agentId)
    const address = { workspace_id: workspaceId, session_id }
    const peer = connectClient(installation, address, 'sessions-0')
    await peer.send({ event: 'client.ready' })
    await peer.event('session.ready')
    return { address, peer }
  }
  const ended = async (address: { workspace_id: string; session_id: string }) => {
    for (;;) {
      const record = await installation.records.getSession(address)
      if (record.ended_at !== null) return record
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  test('by the client is in the record, without any message where the transcript is not stored', async () => {
    const { address, peer } = await begin(installation.newAgent({ session_config: { store_transcript: false } }))
    await peer.say('A secret')
    await peer.event('transcript', (event) => event.event === 'transcript' && event.role === 'agent')
    peer.hangUp()
    expect(await ended(address)).toMatchObject({
      status: 'ended',
      end_reason: 'user_disconnected',
      transcript: [],
      usage: { tts_characters: 8 },
    })
    const rows = await installation.database.acrossWorkspaces((transaction) =>
      transaction.query('select * from messages'),
    )
    expect(JSON.stringify(rows)).not.toContain('A secret')
  })

  test('by the loss of the client, or of its gateway, is connection_lost', async () => {
    const { address, peer } = await begin(installation.newAgent())
    peer.lose()
    expect(await ended(address)).toMatchObject({ status: 'ended', end_reason: 'connection_lost' })
  })

  test('does not come with a connection that the next one of the same client has replaced', async () => {
    const { address, peer } = await begin(installation.newAgent())
    const second = connectClient(installation, address, 'sessions-0')
    await peer.closed
    expect(peer.failure()).toBeUndefined()
    await second.send({ event: 'ping' })
    await second.event('pong')
    expect(await installation.records.getSession(address)).toMatchObject({ ended_at: null })
    second.hangUp()
    expect(await ended(address)).toMatchObject({ end_reason: 'user_disconnected' })
  })

  test('makes every method refuse with session_ended', async () => {
    const { address, peer } = await begin(installation.newAgent())
    const at = { instance: 'sessions-0' }
    await installation.live.endSession({ ...address, reason: 'connection_lost' }, at)
    await peer.closed
    for (const attempt of [
      () => installation.live.endSession({ ...address, reason: 'api_ended' }, at),
      () => installation.live.updateSession({ ...address, update: { candidates: [] } }, at),
      () => installation.live.connectClient(address, () => undefined, at).ended,
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'session_ended' })
    }
  })

  test('comes with the end of the service, and is announced to the client', async () => {
    const { peer } = await begin(installation.newAgent())
    const stopped = installation.stop()
    expect(await peer.event('session.ending')).toMatchObject({ reason: 'drained', deadline_ms: 200 })
    expect(await peer.event('session.ended')).toMatchObject({ end_reason: 'drained' })
    await stopped
  })
})
