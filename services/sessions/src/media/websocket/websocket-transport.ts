/**
 * The transport to a client whose WebSocket ends at a gateway, which relays it over a bidirectional stream.
 *
 * - When the gateway ends the stream, the client has hung up. When the stream breaks, the client has lost its connection, and may
 *   connect again until 12 s after it last sent something. The gateway cancels the stream of a client that answers no ping for
 *   15 s.
 * - A second connection of the same client replaces the first, and is sent what the first was not.
 * - Each malformed message is answered with an `error` event, malformed audio only once in a conversation. Neither has any
 *   other effect.
 */
import { settlesWithin } from '@parlance/async'
import { pcmFromBytes } from '@parlance/audio'
import { createResampler } from '@parlance/audio/encoding'
import type { DuplexPeer } from '@parlance/bus'
import { errorBody, ServiceError, type SessionSocketChunk } from '@parlance/contracts'
import { createClientEventReader, ownEvents } from '../client-event-reader.js'
import { createSampleQueue } from '../playback/sample-queue.js'
import {
  frameMs,
  type LossReason,
  receivedRateHz,
  sentRateHz,
  type Transport,
  type TransportListener,
} from '../transport.js'
import { createOutboundChunks } from './outbound-chunks.js'

/** The size of a frame that clients send: 20 ms of PCM, mono, 16 bits, 24 kHz. */
const clientFrameBytes = (sentRateHz / 1000) * frameMs * 2

const recognizedFrameSamples = (receivedRateHz / 1000) * frameMs

/** Converts the audio of a client into frames of 20 ms at 16 kHz. */
export const createAudioConverter = (fromHz: number) => {
  const resampler = createResampler({ fromHz, toHz: receivedRateHz })
  const queue = createSampleQueue()

  return (samples: Int16Array): Int16Array[] => {
    queue.append(resampler.resample(samples))
    const frames: Int16Array[] = []
    while (queue.length() >= recognizedFrameSamples) {
      const frame = new Int16Array(recognizedFrameSamples)
      queue.take(frame)
      frames.push(frame)
    }
    return frames
  }
}

type SessionSocketPeer = DuplexPeer<SessionSocketChunk, SessionSocketChunk>

/** The entry point for the gateway that has the client's WebSocket. */
export interface WebsocketClient {
  /**
   * Resolves when the connection is over: the conversation has ended and everything was sent, the client has disconnected, or
   * another connection has replaced this one. Rejects with `session_ended`.
   */
  connect(peer: SessionSocketPeer): Promise<void>
}

/** Since the client last sent something. */
const reconnectLimitMs = 12_000
/** How long the chunks that wait at the end may take to be sent. */
const closeLimitMs = 2_000

export const createWebsocketTransport = ({
  requestId,
}: {
  readonly requestId: string
}): Transport<object> & WebsocketClient => {
  const outbound = createOutboundChunks()
  const toFrames = createAudioConverter(sentRateHz)
  let listener: TransportListener | undefined
  let state: 'waiting' | 'open' | 'over' = 'waiting'
  let current: SessionSocketPeer | undefined
  let isAudioErrorSent = false
  let reconnectLimit: NodeJS.Timeout | undefined
  let receivedAtMs = 0

  const lose = (reason: LossReason): void => {
    if (state === 'over') return
    state = 'over'
    clearTimeout(reconnectLimit)
    listener?.onLost(reason)
  }

  const put = (chunk: SessionSocketChunk): void => {
    // The listener must not be called while it calls `send` or `playFrame`.
    if (state === 'open' && !outbound.push(chunk)) queueMicrotask(() => lose('connection_lost'))
  }
  const send = (event: object): void => put({ kind: 'message', text: JSON.stringify(event) })
  const sendError = (error: ServiceError): void => send(errorBody(error, requestId))

  const reader = createClientEventReader({
    ...ownEvents,
    onEvent: (event) => listener?.onEvent(event),
    onError: sendError,
  })

  const onAudio = (bytes: Uint8Array): void => {
    if (bytes.length === clientFrameBytes) {
      for (const frame of toFrames(pcmFromBytes(bytes))) listener?.onAudio(frame)
    } else if (!isAudioErrorSent) {
      isAudioErrorSent = true
      const detail = `Audio is frames of ${clientFrameBytes} bytes: 20 ms of pcm_s16le, mono, at ${sentRateHz} Hz.`
      sendError(new ServiceError('invalid_request', detail))
    }
  }

  const open = (): void => {
    if (state !== 'waiting') return
    state = 'open'
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
        const raw = listener?.raw
        if (chunk.kind === 'message') raw === undefined ? reader.read(chunk.text) : raw.onMessage(chunk.text)
        else if (raw === undefined) onAudio(chunk.data)
        else raw.onBytes(chunk.data)
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
