/**
 * `WS /v1/realtime`: conversations with clients of OpenAI's Realtime protocol, and with `intent=transcription` sessions that recognize
 * speech, which are streams of `/v1/listen`.
 *
 * - The conversation is started during the upgrade, so a refusal is an HTTP response. A browser cannot read it, so one that presents
 *   its client secret as a subprotocol is sent the error on the open socket.
 * - Events pass unchanged to the instance of the conversation, which translates them. Audio is decoded here, since it may be longer than
 *   a message of the bus.
 */
import type { IncomingMessage } from 'node:http'
import {
  listenLimits,
  realtimeLimits,
  realtimePath,
  realtimeSecretProtocolPrefix,
  realtimeProtocol as realtimeSubprotocol,
  ServiceError,
  toServiceError,
} from '@parlance/contracts'
import { z } from 'zod'
import type { LimitRate } from '../authentication/rate-limiter.js'
import { type AuthenticateKey, createIdentifyKey } from '../authentication/require-key.js'
import type { AuthorizeSession } from '../authentication/session-authorization.js'
import { upgradeErrors } from '../openapi/error-codes.js'
import { noAuthentication, type Route, type RouteDependencies } from '../routes/route.js'
import type { SessionSides } from '../session-socket/session-connection.js'
import { type ConversationSocketsOptions, openConversationSocket } from '../session-socket/session-sockets.js'
import { openListenConnection } from '../stream/listen-connection.js'
import type { ListenStreamsOptions } from '../stream/listen-streams.js'
import { createStreamUpgrade } from '../stream/stream-upgrade.js'
import { sessionCloseCodeOf } from '../websocket/close-codes.js'
import { createMessageLimit } from '../websocket/message-rate.js'
import { createRefusedSockets } from '../websocket/refused-sockets.js'
import {
  bearerToken,
  createHandshakes,
  offeredToken,
  refuseWithoutUpgrade,
  type SocketRoute,
  type SocketUpgrade,
} from '../websocket/upgrade.js'
import {
  agentIdOf,
  checkIntent,
  clientWithKey,
  clientWithToken,
  listenTokenOf,
  type RealtimeStartOptions,
  realtimeErrorMessage,
  startRealtime,
  tokenOf,
  transcriptionIntent,
} from './realtime-start.js'
import { createRealtimeTranscription } from './realtime-transcription.js'

const appendType = 'input_audio_buffer.append'
const maxChunkBytes = 32 * 1024

/** The bytes of an event with audio; undefined for any other message, and for one that the instance is to refuse. */
const audioOf = (text: string): Buffer | undefined => {
  if (!text.includes(`"${appendType}"`)) return undefined
  let event: { readonly type?: unknown; readonly audio?: unknown } | null
  try {
    event = JSON.parse(text)
  } catch {
    return undefined
  }
  if (event?.type !== appendType || typeof event.audio !== 'string') return undefined
  return /^[A-Za-z0-9+/]*={0,2}$/.test(event.audio) ? Buffer.from(event.audio, 'base64') : undefined
}

const realtimeProtocol = ({ outbound, sendToInstance }: SessionSides, requestId: string) => {
  const countMessage = createMessageLimit(realtimeLimits.messages_per_second)
  return {
    receive(bytes: Buffer) {
      countMessage()
      const text = bytes.toString()
      const audio = audioOf(text)
      if (audio === undefined) {
        if (bytes.length <= realtimeLimits.message_bytes) return sendToInstance({ kind: 'message', text })
        throw new ServiceError('payload_too_large', `An event may have ${realtimeLimits.message_bytes} bytes.`)
      }
      for (let at = 0; at < audio.length; at += maxChunkBytes) {
        sendToInstance({ kind: 'audio', data: audio.subarray(at, at + maxChunkBytes) })
      }
    },
    sendError: (error: ServiceError) => outbound.send(realtimeErrorMessage(error, requestId)),
  }
}

type RealtimeSocketOptions = RealtimeStartOptions &
  ConversationSocketsOptions &
  Pick<RouteDependencies, 'tokens'> & {
    readonly authenticate: AuthenticateKey
    readonly limitStrangers: LimitRate
    readonly authorizeSession: AuthorizeSession
  }

/** The client secret that a browser offers as a subprotocol. A key is not accepted there: it would be in a page. */
const offeredSecret = (req: IncomingMessage): string | undefined => offeredToken(req, realtimeSecretProtocolPrefix)

/** The credentials in the Authorization header, or the offered secret. */
const presentedTo = (req: IncomingMessage): string => offeredSecret(req) ?? bearerToken(req) ?? ''

const refuseOfferedKey = (req: IncomingMessage): void => {
  if (offeredSecret(req) === undefined) return
  throw new ServiceError('unauthorized', 'A subprotocol takes a client secret, which starts with "ek_", and no key.')
}

/** Sessions that recognize speech. */
const createTranscriptionSocket = (options: RealtimeSocketOptions, listening: ListenStreamsOptions): SocketRoute => {
  const { admission } = listening
  const identifyKey = createIdentifyKey(options)
  return createStreamUpgrade({
    ...listening,
    path: realtimePath,
    protocols: [realtimeSubprotocol],
    maxFrameBytes: realtimeLimits.audio_message_bytes,
    // A browser, which offers its secret, cannot read a response.
    refusesOnSocket: (req) => offeredSecret(req) !== undefined,
    refusal: realtimeErrorMessage,
    refusalCode: sessionCloseCodeOf,
    admission: {
      ...admission,
      admit: (token, grant, requestId) =>
        admission.admit(token, grant, requestId).catch((thrown: unknown) => {
          // The token was valid a moment before.
          if (toServiceError(thrown).code !== 'stream_token_invalid') throw thrown
          const detail = 'This client secret has already started a session. Mint another.'
          throw new ServiceError('session_token_used', detail)
        }),
    },
    readQuery: () => ({ inactivity_timeout: listenLimits.inactivity_timeout_seconds }),
    async identify(req, _, requestId) {
      const token = listenTokenOf(presentedTo(req))
      if (token !== undefined) return { token, grant: await admission.check(token, requestId) }
      refuseOfferedKey(req)
      const { workspace_id, key_id } = await identifyKey(req, { requestId })
      return { token: undefined, grant: { workspace_id, key_id, expires_at: '' } }
    },
    openConnection: (stream) =>
      openListenConnection({
        ...listening,
        ...stream,
        dialect: createRealtimeTranscription(stream.grant.realtime ?? { type: 'transcription' }),
      }),
  })
}

export const createRealtimeSocket = (options: RealtimeSocketOptions, listening: ListenStreamsOptions): SocketRoute => {
  const { authorizeSession, conversations } = options
  const identifyKey = createIdentifyKey(options)
  const handshakes = createHandshakes([realtimeSubprotocol], realtimeLimits.audio_message_bytes)
  const refuseOnSocket = createRefusedSockets({
    handshakes,
    closeCodeOf: sessionCloseCodeOf,
    messageOf: realtimeErrorMessage,
  })

  const identify = async (req: IncomingMessage, query: URLSearchParams, requestId: string) => {
    const context = { requestId }
    const model = query.get('model')
    const token = tokenOf(presentedTo(req))
    if (token !== undefined) return clientWithToken(options, token, model, context)
    refuseOfferedKey(req)
    return clientWithKey(options, await identifyKey(req, context), agentIdOf(model), context)
  }

  const begin = async ({ req, query, requestId }: SocketUpgrade) => {
    checkIntent(query.get('intent'))
    const client = await identify(req, query, requestId)
    const { origin } = req.headers
    const { session_id } = await startRealtime(options, { ...client, origin }, { requestId })
    return authorizeSession(client.token, { agentId: undefined, sessionId: session_id }, { requestId })
  }

  const transcription = createTranscriptionSocket(options, listening)

  return {
    path: realtimePath,
    async accept(upgrade) {
      const { req, query } = upgrade
      if (query.get('intent') === transcriptionIntent || listenTokenOf(presentedTo(req)) !== undefined) {
        return transcription.accept(upgrade)
      }
      conversations.checkCapacity()
      try {
        openConversationSocket(options, upgrade, handshakes, await begin(upgrade), realtimeProtocol)
      } catch (thrown) {
        const error = toServiceError(thrown)
        if (offeredSecret(req) === undefined || error.status >= 500) throw error
        refuseOnSocket(upgrade, error)
      }
    },
  }
}

export const realtimeSocketRoute: Route = {
  method: 'get',
  path: realtimePath,
  authentication: noAuthentication,
  operationId: 'connectRealtime',
  tag: 'Sessions',
  summary: "Talk over OpenAI's Realtime protocol",
  description:
    'A WebSocket for clients of OpenAI’s Realtime API (general availability), with a key or a client secret in the Authorization ' +
    'header. A browser offers the subprotocols `realtime` and `openai-insecure-api-key.<client secret>`. The model is the id of an ' +
    'Agent. With `intent=transcription` speech is recognized, without an Agent. `docs/openai-realtime` lists the events and fields.',
  request: {
    query: z.object({
      model: z.string().optional().meta({ description: 'The id of the Agent. A client secret has it already.' }),
      intent: z.string().optional().meta({ description: '`realtime` or `transcription`.' }),
    }),
  },
  responses: { 101: { description: 'The connection is now a WebSocket.' } },
  errors: [
    ...upgradeErrors,
    'agent_not_found',
    'agent_not_published',
    'agent_not_api_ready',
    'memory_identity_required',
    'insufficient_credit',
    'session_token_expired',
    'session_token_agent_mismatch',
    'session_token_used',
    'origin_not_allowed',
    'voice_not_found',
    'rate_limited',
    'concurrency_limited',
  ],
  createHandler: () => refuseWithoutUpgrade,
}
