/**
 * Accepts the WebSockets of conversations: from an HTTP upgrade to a connection.
 *
 * - Only authenticated clients count towards the limit of connections.
 * - A browser cannot read a failed upgrade. So a client whose token or session is refused gets an `error` event and a close
 *   code on the open socket, within the limits of `refused-sockets.ts`.
 */
import type { Client } from '@parlance/bus'
import {
  type authContract,
  type liveSessionsContract,
  sessionEventLimits,
  sessionProtocol,
  toServiceError,
} from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { WebSocketServer } from 'ws'
import { checkWorkspace } from '../authentication/admission.js'
import { type AuthorizedSession, type AuthorizeSession, requireLive } from '../authentication/session-authorization.js'
import { serverFailed, sessionCloseCodeOf } from '../websocket/close-codes.js'
import type { OpenSockets } from '../websocket/open-sockets.js'
import { createRefusedSockets } from '../websocket/refused-sockets.js'
import { createHandshakes, presentedToken, type SocketRoute, type SocketUpgrade } from '../websocket/upgrade.js'
import { openSessionConnection, type SessionConnectionOptions } from './session-connection.js'

/** The path of the WebSocket of a conversation, in Express's notation. */
export const sessionSocketPath = '/v1/agents/:agentId/sessions/:sessionId/stream'

export interface ConversationSocketsOptions {
  readonly live: Pick<Client<typeof liveSessionsContract>, 'connectClient' | 'endSession'>
  /** Of conversations, in every protocol. */
  readonly conversations: OpenSockets
  readonly logger: Logger
}

/** Opens the socket of an upgrade, and connects its client to a conversation. */
export const openConversationSocket = (
  { live, conversations, logger }: ConversationSocketsOptions,
  { req, socket, head, requestId }: SocketUpgrade,
  handshakes: WebSocketServer,
  session: AuthorizedSession,
  protocol?: SessionConnectionOptions['protocol'],
): void =>
  handshakes.handleUpgrade(req, socket, head, (webSocket) => {
    const ends = { socket: webSocket, rawSocket: socket, protocol, session, live }
    conversations.add(webSocket, openSessionConnection({ ...ends, logger, context: { requestId } }))
  })

interface SessionSocketOptions extends ConversationSocketsOptions {
  readonly authorizeSession: AuthorizeSession
  readonly auth: Pick<Client<typeof authContract>, 'getKeyWorkspace'>
}

export const createSessionSocket = (options: SessionSocketOptions): SocketRoute => {
  const { authorizeSession, auth, conversations } = options
  const handshakes = createHandshakes([sessionProtocol], sessionEventLimits.message_bytes)
  const refuseOnSocket = createRefusedSockets({ handshakes, closeCodeOf: sessionCloseCodeOf })

  /** The key that minted the token must still be valid, and its workspace not suspended. */
  const authorize = async ({ req, query, params, requestId }: SocketUpgrade): Promise<AuthorizedSession> => {
    const address = { agentId: params.agentId, sessionId: params.sessionId! }
    const session = requireLive(await authorizeSession(presentedToken(req, query), address, { requestId }))
    const { workspace_id, key_id } = session
    const workspace = await auth.getKeyWorkspace({ workspace_id, key_id }, { context: { requestId } })
    checkWorkspace({ workspace_id, ...workspace }, 'agents')
    return session
  }

  return {
    path: sessionSocketPath,
    async accept(upgrade) {
      conversations.checkRunning()
      let session: AuthorizedSession
      try {
        session = await authorize(upgrade)
      } catch (thrown) {
        const error = toServiceError(thrown)
        if (sessionCloseCodeOf(error) === serverFailed) throw error
        return refuseOnSocket(upgrade, error)
      }
      conversations.checkCapacity()
      openConversationSocket(options, upgrade, handshakes, session)
    },
  }
}
