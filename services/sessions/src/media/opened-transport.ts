import type { SessionUpdate } from '@parlance/contracts'
import type { Transport } from './transport.js'
import type { WebsocketClient } from './websocket/websocket-transport.js'

/** A transport and how it is agreed on with its peer. */
export interface OpenedTransport {
  readonly transport: Transport
  /** The SDP for the peer; null where nothing is negotiated. */
  readonly answer: string | null
  /**
   * Takes in candidates that the peer found late (the answer is null), or an offer that restarts ICE. Rejects with
   * `invalid_sdp`.
   */
  update(update: SessionUpdate): Promise<string | null>
  /** Of a conversation over a WebSocket: where the gateway connects the client. */
  readonly websocketClient?: WebsocketClient
}
