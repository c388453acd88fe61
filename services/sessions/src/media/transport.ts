import type { SessionClientEvent, SessionServerEvent, SessionUpdate } from '@parlance/contracts'
import type { WebsocketClient } from './websocket/websocket-transport.js'

/** A transport and its negotiation with the peer. */
export interface OpenedTransport {
  readonly transport: Transport
  /** The SDP for the peer; null for a transport without negotiation. */
  readonly answer: string | null
  /**
   * Adds candidates that the peer found after its offer, and resolves to null; or takes the offer of another connection, and resolves
   * to the answer. Rejects with `ServiceError('invalid_sdp')`.
   */
  update(update: SessionUpdate): Promise<string | null>
  /** Present for a conversation over a WebSocket: the gateway connects the client here. */
  readonly websocketClient?: WebsocketClient
}

/** The rate of audio from a peer: mono PCM in frames of 20 ms (320 samples). */
export const receivedRateHz = 16_000
/** The rate of audio to a peer: mono PCM in frames of 20 ms (480 samples). */
export const sentRateHz = 24_000
export const frameMs = 20

/** Why a connection ended: the client closed it, it was lost, or it was never established. */
export type LossReason = 'user_disconnected' | 'connection_lost' | 'ice_failed'

/** Receives what the client sends as it is, for a protocol other than ours. */
export interface RawListener {
  /** A text message. */
  onMessage(text: string): void
  /** Audio of any length, as the gateway passes it. */
  onBytes(bytes: Uint8Array): void
}

/** Called from the transport's own events; no method may throw. Nothing is called after `close`. */
export interface TransportListener {
  /** Over a WebSocket it takes the place of `onAudio`, and on every transport that of `onEvent`. */
  readonly raw?: RawListener | undefined
  /** Events can be sent and audio played from now on. Called once. */
  onOpen(): void
  /** 20 ms of the peer's microphone, in order. Losses are concealed. Audio that a stall has delayed comes at once. */
  onAudio(frame: Int16Array): void
  /** A valid event of the client. The transport answers invalid ones with an `error`. */
  onEvent(event: SessionClientEvent): void
  /** The peer is lost, at the latest 15 s after it last sent something. Called once, as the last call. */
  onLost(reason: LossReason): void
}

/**
 * The connection to one peer. Adapters: `webrtc/webrtc-transport.ts`, `websocket/websocket-transport.ts`, and one in memory for
 * tests. Before `onOpen` and after the end, events and audio to the peer are dropped.
 */
export interface Transport<Event = SessionServerEvent> {
  readonly kind: 'webrtc' | 'websocket'
  /** Called in the same tick in which the transport was created, before the first event. */
  listen(listener: TransportListener): void
  /** Sends an event as JSON. */
  send(event: Event): void
  /**
   * Sends 20 ms of audio (480 samples), or 20 ms of silence when it is undefined. Only the playback calls it, every 20 ms on
   * average: a missing call is a gap in the audio.
   */
  playFrame(frame: Int16Array | undefined): void
  /** Sends pending events, closes the connection and frees its resources. */
  close(): Promise<void>
}
