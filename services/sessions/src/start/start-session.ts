import { createHash, randomUUID } from 'node:crypto'
import type { CallContext } from '@parlance/bus'
import type { SessionPlace } from '@parlance/clients/session-registry'
import {
  checkRealtimeSession,
  overridesOfRealtimeSession,
  type RealtimeSession,
  type RealtimeTool,
  realtimeChannelLabel,
  ServiceError,
  type SessionGrant,
  type SessionOverrides,
  type SessionRequest,
  type StartedSession,
} from '@parlance/contracts'
import type { Conversation } from '../conversation/conversation.js'
import { createAnnouncedEnd, type LiveSession } from '../conversation/live-session.js'
import { openSessionAccount } from '../conversation/session-account.js'
import type { OpenedTransport } from '../media/transport.js'
import { iceServerTtlSeconds } from '../media/webrtc/ice-servers.js'
import { createWebsocketTransport } from '../media/websocket/websocket-transport.js'
import { createRealtimeTransport, modalityOf } from '../realtime/realtime-transport.js'
import { openAgentTransfer } from './agent-transfer.js'
import { type CallDetails, type ComposedConversation, composeConversation } from './compose-conversation.js'
import type { ConversationParts } from './conversation-parts.js'
import { createResolveAgent } from './resolve-agent.js'
import type { SessionServices } from './session-services.js'

export type Undo = ReturnType<typeof createUndo>

/** Steps that undo completed work when later work fails. */
const createUndo = (onFailure: (error: unknown) => void) => {
  const steps: (() => unknown)[] = []
  return {
    add: (step: () => unknown) => void steps.push(step),
    /** Runs the steps, the last one first. A step that fails does not stop the others. Never rejects. */
    async run(): Promise<void> {
      for (const step of steps.splice(0).reverse()) {
        try {
          await step()
        } catch (error) {
          onFailure(error)
        }
      }
    },
  }
}

/** The transport that the client asks for. Rejects with `invalid_sdp`. */
const openTransport = async (
  { openWebrtcTransport }: Pick<ConversationParts, 'openWebrtcTransport'>,
  { request, realtime }: Pick<SessionStart, 'request' | 'realtime'>,
  requestId: string,
): Promise<OpenedTransport> => {
  if (request.transport === 'webrtc') {
    const needsAudio = request.modalities.includes('audio')
    const channelLabel = realtime && realtimeChannelLabel
    return openWebrtcTransport(request.sdp?.sdp ?? '', { requestId, needsAudio, channelLabel })
  }
  const transport = createWebsocketTransport({ requestId })
  const update = async () => {
    throw new ServiceError('invalid_sdp', 'A conversation over a WebSocket has no SDP to negotiate.')
  }
  return { transport, answer: null, update, websocketClient: transport }
}

interface SessionStart {
  readonly grant: SessionGrant
  readonly token: string
  readonly request: SessionRequest
  /** The session that a client begins with that speaks OpenAI's Realtime protocol. */
  readonly realtime?: RealtimeSession | undefined
  /** Whether the WebSocket is that of a telephone call. */
  readonly phone: boolean
  /** Of the workspace; 0 for no limit. */
  readonly maxConcurrentSessions: number
  readonly context: CallContext
}

/** Rejects with the errors that the contract declares for `startSession`. */
export type StartSession = (start: SessionStart) => Promise<{ session: LiveSession; answer: StartedSession }>

/** The start with what the session of the protocol sets. */
const withRealtime = (start: SessionStart, session: RealtimeSession): SessionStart => {
  checkRealtimeSession(session, start.grant.agent_id)
  const isManual = session.audio?.input?.turn_detection === null
  return {
    ...start,
    request: {
      ...start.request,
      input_mode: isManual ? 'push-to-talk' : 'automatic',
      overrides: overridesOfRealtimeSession(session),
    },
  }
}

/** How long the conversation continues when there is no more credit. Credit for this time is reserved. */
const outOfCreditMs = 5_000
/** How long the registry keeps a conversation beyond its longest duration. */
const registryMarginMs = 15 * 60_000

/**
 * Starts a conversation: the Agent, the transport, the admission, the conversation. When a step fails, the steps before it are
 * undone.
 */
export const createStartSession = (services: SessionServices): StartSession => {
  const { parts, instanceId, sessions, recordings, registry, tokens, credit, reserver, settings } = services
  const { iceServersFor, openMcpTools, logger, metrics } = services
  const resolveAgent = createResolveAgent(services)

  /**
   * Reserves credit, creates the record, consumes the token and registers the conversation. The token is consumed after
   * everything that may be refused, so that it stays valid then.
   */
  const admit = async (
    { workspaceId, keyId, agentId, sessionId, endUserId, config }: CallDetails,
    publication: StartedSession['publication'],
    { grant, token, request, phone, maxConcurrentSessions, context }: SessionStart,
    undo: Undo,
    onInsufficientCredit: () => void,
  ) => {
    const { max_concurrent_sessions, max_duration_seconds } = config.session_config

    // Before the limits: a workspace that is out of credit and at its limit would wait in vain.
    const owner = { workspaceId, keyId, agentId }
    const { daily_credit } = config.session_config.public
    const account = await openSessionAccount({
      reserver,
      ...owner,
      creditPerMinute: settings.SESSION_CREDIT_PER_MINUTE,
      onInsufficientCredit,
      checkDailyCredit:
        grant.public && daily_credit !== null
          ? () =>
              credit.requireCredit({
                workspace_id: workspaceId,
                daily_limit: { key_id: keyId, credit: daily_credit },
              })
          : undefined,
    })
    undo.add(() => account.close())

    await sessions.create(
      {
        id: sessionId,
        workspaceId,
        agentId,
        publication,
        instanceId,
        endUserId,
        transport: phone ? 'phone' : request.transport,
        inputMode: request.input_mode,
        metadata: grant.draft === undefined ? request.metadata : { ...request.metadata, draft: true },
        keyId,
        llm: { provider: config.llm_provider, model: config.llm_model },
      },
      { ofWorkspace: maxConcurrentSessions, ofAgent: max_concurrent_sessions },
    )
    undo.add(() => sessions.remove(workspaceId, sessionId, undefined))

    await tokens.consumeSessionToken({ token, agent_id: agentId }, { context })

    const place: SessionPlace = {
      instance_id: instanceId,
      workspace_id: workspaceId,
      agent_id: agentId,
      key_id: keyId,
      token_sha256: createHash('sha256').update(token).digest('hex'),
    }
    await registry.put(sessionId, place, max_duration_seconds * 1000 + registryMarginMs)
    undo.add(() => registry.remove(sessionId))
    return { account, place }
  }

  const finish = async (call: CallDetails, place: SessionPlace, { finish, extractMemories }: ComposedConversation) => {
    const { requestId, sessionId, workspaceId } = call
    try {
      const { reason } = await finish()
      await registry.end(sessionId, place).catch((err: unknown) => {
        logger.warn({ sessionId, err }, 'A conversation that ended could not be removed from the registry')
      })
      metrics.sessionEnded(reason)
      logger.info({ requestId, sessionId, workspaceId, code: reason }, 'A conversation ended')
    } catch (err) {
      logger.error({ sessionId, err }, 'A conversation did not end cleanly')
    }
    extractMemories()
  }

  const liveSession = (
    call: CallDetails,
    place: SessionPlace,
    transport: OpenedTransport,
    composed: ComposedConversation,
  ): LiveSession => {
    const { end, cancel } = createAnnouncedEnd(composed.conversation.end)
    const { audioTap } = composed
    return { id: call.sessionId, place, transport, audioTap, end, over: finish(call, place, composed).finally(cancel) }
  }

  return async (given) => {
    const start = given.realtime === undefined ? given : withRealtime(given, given.realtime)
    const { grant, request, realtime, context } = start
    const { workspace_id: workspaceId, agent_id: agentId, key_id: keyId, end_user_id: endUserId } = grant
    const { requestId, traceparent } = context
    const sessionId = randomUUID()
    const undo = createUndo((err) => logger.warn({ sessionId, err }, 'A step of a failed start could not be undone'))
    try {
      const resolve = async (overrides: SessionOverrides, clientTools: readonly RealtimeTool[] | undefined) => {
        const resolved = await resolveAgent(grant, { client: request.client, overrides, clientTools }, context)
        if (realtime === undefined) return { agent: resolved, firstMessage: null }
        // A client of that protocol creates the first response.
        const { first_message: firstMessage } = resolved.config
        return { agent: { ...resolved, config: { ...resolved.config, first_message: null } }, firstMessage }
      }
      const { agent, firstMessage } = await resolve(request.overrides, realtime?.tools)
      const { config, publication, timeZone, avatar } = agent
      const ids = { workspaceId, agentId, keyId, sessionId, requestId, endUserId }
      const call: CallDetails = { ...ids, traceparent, timeZone, config }

      const openingMcpTools = openMcpTools(call)
      undo.add(async () => (await openingMcpTools).close())
      const transfer = await openAgentTransfer(services, resolveAgent, call, grant, request, context)
      const transport = await openTransport(parts, start, requestId)
      undo.add(() => transport.transport.close())

      const realtimeTransport =
        realtime &&
        createRealtimeTransport(
          transport.transport,
          {
            agentId,
            sessionId,
            firstMessage,
            voice: config.voice_id,
            language: config.stt_config.language,
            speed: config.voice_config.speed,
            maxDurationSeconds: config.session_config.max_duration_seconds,
          },
          realtime,
        )

      let conversation: Conversation | undefined
      const { account, place } = await admit(call, publication, start, undo, () =>
        conversation?.end('insufficient_credit', outOfCreditMs),
      )
      const recorder = await recordings.open({ ...ids, grant, request })
      const composed = composeConversation(services, {
        call,
        agent,
        grant,
        request,
        transport: realtimeTransport ?? transport.transport,
        realtime: realtimeTransport,
        phone: start.phone,
        speaks: request.modalities.includes('audio') && modalityOf(realtime) === 'audio',
        account,
        recorder,
        mcpTools: await openingMcpTools,
        transfer,
        undo,
      })
      conversation = composed.conversation
      realtimeTransport?.connectTo({
        ...composed.conversation,
        async configure(session) {
          const resolved = await resolve(overridesOfRealtimeSession(session), session.tools)
          composed.use(resolved.agent, modalityOf(session) === 'audio')
        },
      })

      const answer: StartedSession = {
        session_id: sessionId,
        agent_id: agentId,
        publication,
        status: 'connecting',
        sdp: transport.answer === null ? null : { type: 'answer', sdp: transport.answer },
        // For reconnections, which the conversation may need until its end.
        ice_servers: iceServersFor(sessionId, config.session_config.max_duration_seconds + iceServerTtlSeconds),
        max_duration_seconds: config.session_config.max_duration_seconds,
        avatar,
      }
      return { session: liveSession(call, place, transport, composed), answer }
    } catch (error) {
      await undo.run()
      throw error
    }
  }
}
