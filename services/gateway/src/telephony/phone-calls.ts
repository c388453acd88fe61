/** `/v1/telephony/<provider>`: a POST answers a call, and the socket that it names carries the call. */
import type { CallContext } from '@parlance/bus'
import { type PhoneProvider, ServiceError, sessionRequestSchema, toServiceError } from '@parlance/contracts'
import type { EgressClient } from '@parlance/egress'
import type { RequestHandler } from 'express'
import type { WebSocket } from 'ws'
import { requireRate } from '../authentication/rate-limiter.js'
import type { AuthorizeSession } from '../authentication/session-authorization.js'
import { clientNetworkOf } from '../http/client-address.js'
import { readBody } from '../http/json-body.js'
import { apiHeaders, sendBody } from '../http/json-response.js'
import { noAuthentication, type Route, type RouteDependencies, undocumented } from '../routes/route.js'
import { beginConversation } from '../routes/sessions/start-session.js'
import { openSessionConnection } from '../session-socket/session-connection.js'
import type { ConversationSocketsOptions } from '../session-socket/session-sockets.js'
import { sessionCloseCodeOf } from '../websocket/close-codes.js'
import { createOutboundQueue } from '../websocket/outbound-queue.js'
import { createHandshakes, type SocketRoute, type SocketUpgrade } from '../websocket/upgrade.js'
import { createPhoneCall, receiveStart } from './phone-call.js'
import { plivo } from './plivo.js'
import type { CallRequest, CallStart, TelephonyProvider } from './provider.js'
import { telnyx } from './telnyx.js'
import { twilio } from './twilio.js'

const providers: readonly TelephonyProvider[] = [twilio, telnyx, plivo]

const pathOf = ({ name }: TelephonyProvider): string => `/v1/telephony/${name}`

const notSigned = () =>
  new ServiceError('unauthorized', 'The request is not signed for a telephone number of a workspace.')

const findNumber = async (
  { phoneNumbers }: Pick<RouteDependencies, 'phoneNumbers'>,
  provider: TelephonyProvider,
  request: CallRequest,
  context: CallContext,
) => {
  const call = provider.readCall(request)
  if (call === undefined) throw notSigned()
  const { numbers } = await phoneNumbers.openNumbers(
    { provider: provider.name, number: call.to, account_sid: call.accountSid },
    { context },
  )
  const number = numbers.find(
    (entry) =>
      (call.workspaceId === undefined || call.workspaceId === entry.workspace_id) && provider.isSigned(request, entry),
  )
  if (number === undefined) throw notSigned()
  return { number, call }
}

/** The order of the refusals: the network, the signature, the workspace, the Agent, credit. */
const answerCall =
  (provider: TelephonyProvider, dependencies: RouteDependencies): RequestHandler =>
  async (req, res) => {
    const { auth, tokens, admit, limitStrangers, publicUrl, webSocketUrl } = dependencies
    const { context } = req
    if (!/^application\/x-www-form-urlencoded\b/i.test(req.headers['content-type'] ?? '')) {
      throw new ServiceError(
        'unsupported_media_type',
        'Send the body with content-type application/x-www-form-urlencoded.',
      )
    }
    const body = (await readBody(req)).toString()
    const request: CallRequest = {
      ...{ url: publicUrl(req, req.originalUrl), body, fields: [...new URLSearchParams(body)] },
      header: (name) => req.get(name),
    }
    const { number, call } = await findNumber(dependencies, provider, request, context).catch(
      async (error: unknown) => {
        const rate = await limitStrangers(clientNetworkOf(req))
        requireRate(rate, 'Your address sends too many requests without a valid signature.')
        throw error
      },
    )
    const respond = (xml: string): void =>
      sendBody(res, 200, apiHeaders(req.id, 'text/xml; charset=utf-8', 'no-store'), xml)
    if (call.response !== undefined) return respond(call.response)
    const { workspace_id, agent_id, id: number_id } = number
    const workspace = await auth.addAgentKey({ workspace_id, agent_id }, { context })
    await admit(res, { workspace_id, ...workspace }, 'agents')
    const phone = { from: call.from, to: call.to }
    const grant = { workspace_id, agent_id, key_id: agent_id, end_user_id: null, metadata: { phone }, variables: {} }
    const { token } = await tokens.mintSessionToken(grant, { context })
    respond(provider.answer(webSocketUrl(req, pathOf(provider)), { token, number_id }))
  }

export const telephonyRoutes: readonly Route[] = providers.map((provider) =>
  undocumented({
    ...{ method: 'post', path: pathOf(provider), authentication: noAuthentication },
    createHandler: (dependencies) => answerCall(provider, dependencies),
  }),
)

type PhoneSocketsOptions = Parameters<typeof beginConversation>[0] &
  ConversationSocketsOptions &
  Pick<RouteDependencies, 'phoneNumbers' | 'publicUrl' | 'tokens'> & {
    readonly authorizeSession: AuthorizeSession
    readonly egress: Pick<EgressClient, 'send'>
    /** Of the APIs that change live calls. */
    readonly apiUrls: Readonly<Record<PhoneProvider, string>>
  }

const maxMessageBytes = 64 * 1024
/** Sockets whose call has not started. They have presented no token yet. */
const maxWaiting = 300
const transferWithinMs = 10_000

/** The socket of each network. It has no token before the call starts, so it counts as a conversation only from then on. */
export const createPhoneSockets = (options: PhoneSocketsOptions): SocketRoute[] => {
  const { authorizeSession, tokens, live, conversations, phoneNumbers, publicUrl, egress, apiUrls, logger } = options
  const handshakes = createHandshakes([], maxMessageBytes)
  let waiting = 0

  const startConversation = async ({ callId, parameters: { token = '' } }: CallStart, context: CallContext) => {
    const { agent_id } = await tokens.readSessionToken({ token }, { context })
    const grant = await tokens.checkSessionToken({ token, agent_id }, { context })
    // Pages mint these, and start conversations from their origins.
    if (grant.public || grant.draft) throw new ServiceError('unauthorized', 'This token is not for telephone calls.')
    const metadata = { phone: { ...(grant.metadata.phone as object | undefined), call_id: callId } }
    const request = sessionRequestSchema.parse({ transport: 'websocket', input_mode: 'automatic', metadata })
    const readRequest = async () => ({ request, phone: true })
    return conversations.whileAdmitting(async () => {
      const begun = await beginConversation(options, { grant, token, origin: undefined, readRequest }, context)
      return authorizeSession(token, { agentId: agent_id, sessionId: begun.session_id }, context)
    })
  }

  const serve = async (
    provider: TelephonyProvider,
    socket: WebSocket,
    { req, socket: rawSocket, requestId }: SocketUpgrade,
  ) => {
    const context: CallContext = { requestId }
    waiting += 1
    const start = await receiveStart(socket, provider).finally(() => {
      waiting -= 1
    })
    const session = await startConversation(start, context)
    // The caller has hung up meanwhile. A conversation to which no client connects ends by itself.
    if (socket.readyState !== socket.OPEN) return
    const { streamId, parameters } = start
    const { workspace_id, session_id } = session
    const protocol = createPhoneCall({
      ...{ provider, streamId },
      async transfer(to) {
        const number = { workspace_id, number_id: parameters.number_id ?? '' }
        const account = await phoneNumbers.openNumber(number, { context })
        const webhookUrl = publicUrl(req, pathOf(provider))
        const { status } = await egress.send({
          ...provider.transfer({ apiUrl: apiUrls[provider.name], webhookUrl, account, call: start, to }),
          timeoutMs: transferWithinMs,
          maxBytes: 64 * 1024,
          signal: AbortSignal.timeout(transferWithinMs),
        })
        if (status >= 300) throw new Error(`the network answered with status ${status}`)
      },
      onTransferFailed: (err) =>
        logger.warn({ requestId, sessionId: session_id, err }, 'A telephone call could not be transferred'),
    })
    const ends = { socket, rawSocket, protocol, session, live }
    conversations.add(socket, openSessionConnection({ ...ends, logger, context }))
  }

  return providers.map((provider) => ({
    path: pathOf(provider),
    async accept(upgrade) {
      const { req, socket, head, requestId } = upgrade
      conversations.checkRunning()
      if (waiting >= maxWaiting) throw new ServiceError('capacity_exhausted', 'Too many calls are being connected.')
      handshakes.handleUpgrade(req, socket, head, (webSocket) => {
        webSocket.on('error', () => webSocket.terminate())
        serve(provider, webSocket, upgrade).catch((thrown: unknown) => {
          const error = toServiceError(thrown)
          if (error.cause !== undefined) logger.error({ requestId, err: error }, 'A telephone call failed')
          createOutboundQueue(webSocket, socket).close(sessionCloseCodeOf(error), error.code)
        })
      })
    },
  }))
}
