/**
 * How a client of OpenAI's Realtime protocol is identified, and the start of its conversation.
 *
 * A client secret is a session token with another prefix, which such clients look for. It starts one conversation. A key starts one
 * with a session token that is minted for it at once. A client secret for a session that recognizes speech is a listen token.
 */
import type { CallContext } from '@parlance/bus'
import {
  idSchema,
  mergeRealtimeSession,
  newRealtimeSession,
  type Principal,
  type RealtimeSession,
  ServiceError,
  type SessionGrant,
  type StartedSession,
  sessionRequestSchema,
} from '@parlance/contracts'
import type { Response } from 'express'
import { openaiError } from '../http/error-response.js'
import type { RouteDependencies } from '../routes/route.js'
import { beginConversation } from '../routes/sessions/start-session.js'

const tokenPrefix = 'awst_'
const secretPrefix = 'ek_'
const listenTokenPrefix = 'awlt_'
const listenSecretPrefix = 'ek_listen_'

/** The client secret of a session token or a listen token. */
export const secretOf = (token: string): string =>
  token.startsWith(listenTokenPrefix)
    ? listenSecretPrefix + token.slice(listenTokenPrefix.length)
    : secretPrefix + token.slice(tokenPrefix.length)

/** Undefined for what is neither a client secret of a conversation nor a session token. */
export const tokenOf = (presented: string): string | undefined => {
  if (presented.startsWith(listenSecretPrefix)) return undefined
  if (presented.startsWith(secretPrefix)) return tokenPrefix + presented.slice(secretPrefix.length)
  return presented.startsWith(tokenPrefix) ? presented : undefined
}

/** Undefined for what is not a client secret of a session that recognizes speech. */
export const listenTokenOf = (presented: string): string | undefined =>
  presented.startsWith(listenSecretPrefix) ? listenTokenPrefix + presented.slice(listenSecretPrefix.length) : undefined

/** Throws `agent_not_found`, since other servers have models there. */
export const agentIdOf = (model: string | null | undefined): string => {
  if (model == null || model === '') throw new ServiceError('invalid_request', 'model: is required: the id of an Agent')
  const id = idSchema.safeParse(model.toLowerCase())
  if (id.success) return id.data
  throw new ServiceError('agent_not_found', 'There is no such Agent: the model is the id of an Agent.')
}

export const transcriptionIntent = 'transcription'

/** Throws `invalid_request` for an unknown kind of session. */
export const checkIntent = (intent: unknown): void => {
  if (intent === undefined || intent === null || intent === 'realtime') return
  throw new ServiceError('invalid_request', 'intent: must be "realtime", or on a WebSocket "transcription"')
}

interface RealtimeClient {
  readonly token: string
  readonly grant: SessionGrant
}

type Tokens = Pick<RouteDependencies, 'tokens'>

/** Mints a session token for the holder of a key. */
export const clientWithKey = async (
  { tokens }: Tokens,
  { workspace_id, key_id }: Pick<Principal, 'workspace_id' | 'key_id'>,
  agentId: string,
  context: CallContext,
): Promise<RealtimeClient> => {
  const request = { workspace_id, key_id, agent_id: agentId, end_user_id: null, variables: {}, metadata: {} }
  const { token } = await tokens.mintSessionToken(request, { context })
  return { token, grant: await tokens.checkSessionToken({ token, agent_id: agentId }, { context }) }
}

/** Rejects with 401, 403 for another model than that of the secret, and `session_token_used`. */
export const clientWithToken = async (
  { tokens }: Tokens,
  token: string,
  model: string | null | undefined,
  context: CallContext,
): Promise<RealtimeClient> => {
  const agent_id = model ? agentIdOf(model) : (await tokens.readSessionToken({ token }, { context })).agent_id
  return { token, grant: await tokens.checkSessionToken({ token, agent_id }, { context }) }
}

interface RealtimeStart extends RealtimeClient {
  /** Undefined for the client of a WebSocket. */
  readonly res?: Response
  readonly origin: string | undefined
  /** Beside what the secret was made with. */
  readonly session?: RealtimeSession | undefined
  /** The offer of a client that connects over WebRTC. */
  readonly sdp?: string | undefined
}

export type RealtimeStartOptions = Parameters<typeof beginConversation>[0]

/** Starts the conversation, which consumes the token. */
export const startRealtime = async (
  options: RealtimeStartOptions,
  { session, sdp, ...client }: RealtimeStart,
  context: CallContext,
): Promise<StartedSession> => {
  const media = sdp === undefined ? { transport: 'websocket' } : { transport: 'webrtc', sdp: { type: 'offer', sdp } }
  const request = sessionRequestSchema.parse({ ...media, input_mode: 'automatic' })
  const realtime = mergeRealtimeSession(client.grant.realtime ?? newRealtimeSession, session ?? newRealtimeSession)
  return beginConversation(options, { ...client, readRequest: async () => ({ request, realtime }) }, context)
}

/** The error in the form of the protocol. */
export const realtimeErrorMessage = (error: ServiceError, requestId: string): object => ({
  type: 'error',
  event_id: `event_${requestId}`,
  error: { ...openaiError(error), event_id: null },
})
