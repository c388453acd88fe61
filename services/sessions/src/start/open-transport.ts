import { ServiceError, type SessionRequest } from '@parlance/contracts'
import type { OpenedTransport } from '../media/opened-transport.js'
import { createWebsocketTransport } from '../media/websocket/websocket-transport.js'
import type { ConversationParts } from './conversation-parts.js'

/** The transport that the client asks for. Rejects with `invalid_sdp`. */
export const openTransport = async (
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
