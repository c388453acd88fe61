import { randomUUID } from 'node:crypto'
import type { CallContext } from '@parlance/bus'
import type { SessionPlace, SessionRegistry } from '@parlance/clients/session-registry'
import {
  type IceServer,
  ServiceError,
  type SessionGrant,
  type SessionRequest,
  type StartedSession,
} from '@parlance/contracts'
import type { Logger, Metrics } from '@parlance/telemetry'
import { createAnnouncedEnd } from '../conversation/announced-end.js'
import type { Conversation } from '../conversation/conversation.js'
import type { LiveSession } from '../conversation/live-session.js'
import type { OpenedTransport } from '../media/transport.js'
import { createWebsocketTransport } from '../media/websocket/websocket-transport.js'
import type { Recordings } from '../recording/recordings.js'
import { type AdmissionOptions, type CallDetails, createAdmit } from './admission.js'
import {
  type ComposeConversationOptions,
  type ComposedConversation,
  createComposeConversation,
} from './compose-conversation.js'
import type { ConversationParts } from './conversation-parts.js'
import { createResolveAgent, type ResolveAgentOptions } from './resolve-agent.js'
import { createUndo } from './undo.js'

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
    AdmissionOptions,
    ComposeConversationOptions {
  readonly parts: ConversationParts
  readonly sessions: AdmissionOptions['sessions'] & ComposeConversationOptions['sessions']
  readonly recordings: Pick<Recordings, 'open'>
  readonly registry: SessionRegistry
  readonly iceServersFor: (name: string) => IceServer[]
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

/** The record of the conversation distinguishes it from those with a publication. */
const markedAsDraft = (request: SessionRequest): SessionRequest => ({
  ...request,
  metadata: { ...request.metadata, draft: true },
})

/**
 * Starts a conversation: the Agent, the transport, the admission, the conversation. When a step fails, the steps before it are
 * undone.
 */
export const createStartSession = (options: StartSessionOptions): StartSession => {
  const { parts, recordings, registry, iceServersFor, logger, metrics } = options
  const { findLanguageModel, openProviderModel } = parts
  const resolveAgent = createResolveAgent({ ...options, findLanguageModel, openProviderModel })
  const admit = createAdmit(options)
  const composeConversation = createComposeConversation(options)

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

  return async ({ grant, token, request, maxConcurrentSessions, context }) => {
    const { workspace_id: workspaceId, agent_id: agentId, key_id: keyId, end_user_id: endUserId } = grant
    const { requestId, traceparent } = context
    const sessionId = randomUUID()
    const undo = createUndo((err) => logger.warn({ sessionId, err }, 'A step of a failed start could not be undone'))
    try {
      const agent = await resolveAgent(grant, request.client?.time_zone, context)
      const { config, publication, timeZone, avatar } = agent
      const ids = { workspaceId, agentId, keyId, sessionId, requestId, endUserId }
      const call: CallDetails = { ...ids, traceparent, timeZone, config }

      const transport = await openTransport(parts, request, requestId)
      undo.add(() => transport.transport.close())

      let conversation: Conversation | undefined
      const { account, place } = await admit({
        call,
        publication,
        token,
        request: grant.draft === undefined ? request : markedAsDraft(request),
        maxConcurrentSessions,
        context,
        undo,
        onInsufficientCredit: () => conversation?.end('insufficient_credit', outOfCreditMs),
      })
      const recorder = await recordings.open({ ...ids, grant, request })
      const composed = composeConversation({
        call,
        agent,
        grant,
        request,
        transport: transport.transport,
        account,
        recorder,
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
