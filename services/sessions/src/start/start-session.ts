import { createHash, randomUUID } from 'node:crypto'
import type { CallContext, Client } from '@parlance/bus'
import type { CreditReserver } from '@parlance/clients/credit'
import type { SessionPlace, SessionRegistry } from '@parlance/clients/session-registry'
import {
  type creditContract,
  type IceServer,
  ServiceError,
  type SessionGrant,
  type SessionRequest,
  type StartedSession,
  type tokensContract,
} from '@parlance/contracts'
import type { Logger, Metrics } from '@parlance/telemetry'
import type { Conversation } from '../conversation/conversation.js'
import { createAnnouncedEnd, type LiveSession } from '../conversation/live-session.js'
import { openSessionAccount } from '../conversation/session-account.js'
import type { OpenedTransport } from '../media/transport.js'
import { createWebsocketTransport } from '../media/websocket/websocket-transport.js'
import type { Recordings } from '../recording/recordings.js'
import type { SessionRepository } from '../records/session-repository.js'
import type { OpenMcpTools } from '../tools/mcp-tools.js'
import { type AgentTransferOptions, openAgentTransfer } from './agent-transfer.js'
import {
  type CallDetails,
  type ComposeConversationOptions,
  type ComposedConversation,
  createComposeConversation,
} from './compose-conversation.js'
import type { ConversationParts } from './conversation-parts.js'
import { createResolveAgent, type ResolveAgentOptions } from './resolve-agent.js'
import { createUndo, type Undo } from './undo.js'

/** The transport that the client asks for. Rejects with `invalid_sdp`. */
const openTransport = async (
  { openWebrtcTransport }: Pick<ConversationParts, 'openWebrtcTransport'>,
  request: SessionRequest,
  requestId: string,
): Promise<OpenedTransport> => {
  if (request.transport === 'webrtc') {
    const needsAudio = request.modalities.includes('audio')
    return openWebrtcTransport(request.sdp?.sdp ?? '', { requestId, needsAudio })
  }
  const transport = createWebsocketTransport({ requestId })
  const update = async () => {
    throw new ServiceError('invalid_sdp', 'A conversation over a WebSocket has no SDP to negotiate.')
  }
  return { transport, answer: null, update, websocketClient: transport }
}

export interface StartSessionOptions
  extends Omit<ResolveAgentOptions, 'findLanguageModel' | 'openProviderModel'>,
    ComposeConversationOptions {
  readonly parts: ConversationParts
  readonly agents: ResolveAgentOptions['agents'] & AgentTransferOptions['agents']
  readonly instanceId: string
  readonly sessions: Pick<SessionRepository, 'create' | 'remove' | 'write'>
  readonly recordings: Pick<Recordings, 'open'>
  readonly registry: SessionRegistry
  readonly tokens: Pick<Client<typeof tokensContract>, 'consumeSessionToken'>
  readonly reserver: Pick<CreditReserver, 'reserve'>
  readonly credit: Pick<Client<typeof creditContract>, 'requireCredit'>
  /** Decimal text. */
  readonly creditPerMinute: string
  readonly iceServersFor: (name: string) => IceServer[]
  readonly openMcpTools: OpenMcpTools
  readonly logger: Logger
  readonly metrics: Pick<Metrics, 'sessionEnded' | 'sessionVoiceToVoice' | 'sessionPreparedReply'>
}

export interface SessionStart {
  readonly grant: SessionGrant
  readonly token: string
  readonly request: SessionRequest
  /** Of the workspace; 0 for no limit. */
  readonly maxConcurrentSessions: number
  readonly context: CallContext
}

/** Rejects with the errors that the contract declares for `startSession`. */
export type StartSession = (start: SessionStart) => Promise<{ session: LiveSession; answer: StartedSession }>

/** How long the conversation continues when there is no more credit. Credit for this time is reserved. */
const outOfCreditMs = 5_000
/** How long the registry keeps a conversation beyond its longest duration. */
const registryMarginMs = 15 * 60_000

/**
 * Starts a conversation: the Agent, the transport, the admission, the conversation. When a step fails, the steps before it are
 * undone.
 */
export const createStartSession = (options: StartSessionOptions): StartSession => {
  const { parts, instanceId, sessions, recordings, registry, tokens, credit, reserver, creditPerMinute } = options
  const { iceServersFor, openMcpTools, logger, metrics } = options
  const { findLanguageModel, openProviderModel } = parts
  const resolveAgent = createResolveAgent({ ...options, findLanguageModel, openProviderModel })
  const composeConversation = createComposeConversation(options)

  /**
   * Reserves credit, creates the record, consumes the token and registers the conversation. The token is consumed after
   * everything that may be refused, so that it stays valid then.
   */
  const admit = async (
    { workspaceId, keyId, agentId, sessionId, endUserId, config }: CallDetails,
    publication: StartedSession['publication'],
    { grant, token, request, maxConcurrentSessions, context }: SessionStart,
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
      creditPerMinute,
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
        transport: request.transport,
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

  const hold = (
    call: CallDetails,
    place: SessionPlace,
    transport: OpenedTransport,
    composed: ComposedConversation,
  ): LiveSession => {
    const { end, cancel } = createAnnouncedEnd(composed.conversation.end)
    const { audioTap } = composed
    return { id: call.sessionId, place, transport, audioTap, end, over: finish(call, place, composed).finally(cancel) }
  }

  return async (start) => {
    const { grant, request, context } = start
    const { workspace_id: workspaceId, agent_id: agentId, key_id: keyId, end_user_id: endUserId } = grant
    const { requestId, traceparent } = context
    const sessionId = randomUUID()
    const undo = createUndo((err) => logger.warn({ sessionId, err }, 'A step of a failed start could not be undone'))
    try {
      const agent = await resolveAgent(grant, request, context)
      const { config, publication, timeZone, avatar } = agent
      const ids = { workspaceId, agentId, keyId, sessionId, requestId, endUserId }
      const call: CallDetails = { ...ids, traceparent, timeZone, config }

      const openingMcpTools = openMcpTools(call)
      undo.add(async () => (await openingMcpTools).close())
      const transfer = await openAgentTransfer({ ...options, resolveAgent }, call, grant, request, context)
      const transport = await openTransport(parts, request, requestId)
      undo.add(() => transport.transport.close())

      let conversation: Conversation | undefined
      const { account, place } = await admit(call, publication, start, undo, () =>
        conversation?.end('insufficient_credit', outOfCreditMs),
      )
      const recorder = await recordings.open({ ...ids, grant, request })
      const composed = composeConversation({
        call,
        agent,
        grant,
        request,
        transport: transport.transport,
        account,
        recorder,
        mcpTools: await openingMcpTools,
        transfer,
        undo,
      })
      conversation = composed.conversation

      const answer: StartedSession = {
        session_id: sessionId,
        agent_id: agentId,
        publication,
        status: 'connecting',
        sdp: transport.answer === null ? null : { type: 'answer', sdp: transport.answer },
        ice_servers: iceServersFor(sessionId),
        max_duration_seconds: config.session_config.max_duration_seconds,
        avatar,
      }
      return { session: hold(call, place, transport, composed), answer }
    } catch (error) {
      await undo.run()
      throw error
    }
  }
}
