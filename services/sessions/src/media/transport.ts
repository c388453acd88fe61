import type { SessionClientEvent, SessionServerEvent } from '@parlance/contracts'

/** What comes from a peer is mono PCM at this rate, in frames of 20 ms (320 samples). */
export const heardRateHz = 16_000
/** What a peer is sent is mono PCM at this rate, in frames of 20 ms (480 samples). */
export const spokenRateHz = 24_000
export const frameMs = 20

/** Why a peer is gone that did not say good-bye, or that it did. */
export type LossReason = 'user_disconnected' | 'connection_lost' | 'ice_failed'

/** Called from the transport's own events; none may throw. Nothing is called after `close`. */
export interface TransportListener {
  /** Events can be sent and audio played. Once. */
  onOpen(): void
  /** 20 ms of what the peer's microphone hears, evenly spaced and in order, what was lost concealed. */
  onAudio(frame: Int16Array): void
  /** Of the contract's shape. One that is not has been answered with an `error` by the transport. */
  onEvent(event: SessionClientEvent): void
  /** The peer is gone, at the latest 15 s after the last sign of it. Once, and the last call. */
  onLost(reason: LossReason): void
}

/**
 * The way to one peer. Adapters: `webrtc/webrtc-transport.ts`, `websocket/websocket-transport.ts`, and in tests one in memory.
 * Before `onOpen` and after the end everything that is sent is dropped.
 */
export interface Transport {
  readonly kind: 'webrtc' | 'websocket'
  /** Set before the first event can come; in the same turn of the event loop that made the transport. */
  listen(listener: TransportListener): void
  send(event: SessionServerEvent): void
  /**
   * Plays 20 ms (480 samples at 24 kHz), or silence of that length where it is undefined. Called every 20 ms by the playout and by
   * nobody else: a tick left out would be heard as a gap.
   */
  playFrame(frame: Int16Array | undefined): void
  /** Sends what is under way, hangs up, and frees everything. */
  close(): Promise<void>
}
