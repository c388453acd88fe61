import type { SessionUpdate } from '@parlance/contracts'
import type { Transport } from './transport.js'
import type { WebsocketClient } from './websocket/websocket-transport.js'

/** A transport and its negotiation with the peer. */
export interface OpenedTransport {
  readonly transport: Transport
  /** The SDP for the peer; null for a transport without negotiation. */
  readonly answer: string | null
  /**
   * Adds candidates that the peer found after its offer, and resolves to null; or takes an offer that restarts ICE, and resolves
   * to the answer. Rejects with `ServiceError('invalid_sdp')`.
   */
  update(update: SessionUpdate): Promise<string | null>
  /** Of a conversation over a WebSocket: where the gateway connects the client. */
  readonly websocketClient?: WebsocketClient
}
