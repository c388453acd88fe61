/**
 * The transport to a client whose WebSocket ends at a gateway. The gateway holds a bidirectional stream for it.
 *
 * - A client that does not connect within 15 s is lost.
 * - A stream that the gateway ends is a client that has hung up. A stream that breaks is a client that has lost its connection,
 *   and may connect again until 12 s after it last sent something. The gateway cancels the stream of a client that answers no
 *   ping for 15 s.
 * - A second connection of the same client replaces the first, and is sent what is left of what the first was not.
 * - A malformed message is answered with an `error` event, malformed audio with one per conversation. Neither has any
 *   other effect.
 */
import { settlesWithin } from '@parlance/async'
import type { DuplexPeer } from '@parlance/bus'
import { errorBody, ServiceError, type SessionServerEvent, type SessionSocketChunk } from '@parlance/contracts'
import { createClientEventReader } from '../client-event-reader.js'
import { type LossReason, sentRateHz, type Transport, type TransportListener } from '../transport.js'
import { clientFrameBytes, createInboundAudio } from './inbound-audio.js'
import { createOutboundChunks } from './outbound-chunks.js'

export type SessionSocketPeer = DuplexPeer<SessionSocketChunk, SessionSocketChunk>

/** The entry point for the gateway that holds the client's WebSocket. */
export interface WebsocketClient {
  /**
   * Resolves when the connection is over: the conversation has ended and everything was sent, the client has disconnected, or
   * another connection has replaced this one. Rejects with `session_ended`.
   */
  connect(peer: SessionSocketPeer): Promise<void>
}

export interface WebsocketTransportOptions {
  /** Sent in `error` events. */
  readonly requestId: string
}

const connectLimitMs = 15_000
/** Since the client last sent something. */
const reconnectLimitMs = 12_000
/** How long the chunks that wait at the end may take to be sent. */
const closeLimitMs = 2_000

export const createWebsocketTransport = ({ requestId }: WebsocketTransportOptions): Transport & WebsocketClient => {
  const outbound = createOutboundChunks()
  const audio = createInboundAudio()
  let listener: TransportListener | undefined
  let state: 'waiting' | 'open' | 'over' = 'waiting'
  let current: SessionSocketPeer | undefined
  let isAudioErrorSent = false
  let reconnectLimit: NodeJS.Timeout | undefined
  let receivedAtMs = 0

  const lose = (reason: LossReason): void => {
    if (state === 'over') return
    state = 'over'
    clearTimeout(connectLimit)
    clearTimeout(reconnectLimit)
    listener?.onLost(reason)
  }
  const connectLimit = setTimeout(() => lose('connection_lost'), connectLimitMs)

  const put = (chunk: SessionSocketChunk): void => {
    // The listener must not be called while it calls `send` or `playFrame`.
    if (state === 'open' && !outbound.push(chunk)) queueMicrotask(() => lose('connection_lost'))
  }
  const send = (event: SessionServerEvent): void => put({ kind: 'message', text: JSON.stringify(event) })
  const sendError = (error: ServiceError): void => send(errorBody(error, requestId))

  const reader = createClientEventReader({ onEvent: (event) => listener?.onEvent(event), onError: sendError })

  const onAudio = (bytes: Uint8Array): void => {
    if (bytes.length === clientFrameBytes) {
      for (const frame of audio.convert(bytes)) listener?.onAudio(frame)
    } else if (!isAudioErrorSent) {
      isAudioErrorSent = true
      const detail = `Audio is frames of ${clientFrameBytes} bytes: 20 ms of pcm_s16le, mono, at ${sentRateHz} Hz.`
      sendError(new ServiceError('invalid_request', detail))
    }
  }

  const open = (): void => {
    if (state !== 'waiting') return
    state = 'open'
    clearTimeout(connectLimit)
    listener?.onOpen()
  }

  return {
    kind: 'websocket',
    listen(given) {
      listener = given
    },
    send,
    playFrame(frame) {
      if (frame === undefined) return
      put({ kind: 'audio', data: Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength) })
    },
    async close() {
      const wasOpen = state === 'open'
      state = 'over'
      clearTimeout(connectLimit)
      clearTimeout(reconnectLimit)
      listener = undefined
      outbound.end()
      if (wasOpen) await settlesWithin(outbound.drained(), closeLimitMs)
    },

    async connect(peer) {
      if (state === 'over') throw new ServiceError('session_ended', 'This session has ended.')
      current = peer
      clearTimeout(reconnectLimit)
      receivedAtMs = performance.now()
      open()
      const sent = outbound.connect(peer.send)
      const received = peer.receive((chunk) => {
        if (current !== peer || state !== 'open') return
        receivedAtMs = performance.now()
        if (chunk.kind === 'message') reader.read(chunk.text)
        else onAudio(chunk.data)
      })
      received.then(
        () => current === peer && lose('user_disconnected'),
        () => {
          if (current !== peer) return
          outbound.disconnect()
          const leftMs = receivedAtMs + reconnectLimitMs - performance.now()
          reconnectLimit = setTimeout(() => lose('connection_lost'), leftMs)
        },
      )
      await sent
    },
  }
}
