/**
 * A peer whose WebSocket ends at a gateway: its events and its audio come and go through the bus.
 *
 * - A peer that does not come within 15 s, or of whom nothing is heard for 15 s, is lost. Gateways tell of its pongs.
 * - What it sends is heard in the order in which it was sent, see `PeerCalls`.
 * - A second connection of the same peer takes the place of the first.
 * - What is wrong with what it sends is told in an `error` event, for audio once, and changes nothing.
 */

import { createResampler } from '@parlance/audio/encoding'
import { errorBody, ServiceError, type SessionServerEvent } from '@parlance/contracts'
import { createClientEventReader } from '../client-event-reader.js'
import {
  frameMs,
  heardRateHz,
  type LossReason,
  spokenRateHz,
  type Transport,
  type TransportListener,
} from '../transport.js'
import { createPeerCalls, type PeerItem } from './peer-calls.js'
import { createPeerOutlet, type PeerChunk } from './peer-outlet.js'

/** The peer's side of the transport: what the gateway that holds its WebSocket calls. */
export interface WebsocketPeer {
  attach(signal: AbortSignal): AsyncIterable<PeerChunk>
  receive(seq: number, items: readonly PeerItem[]): void
}

export interface WebsocketTransportOptions {
  /** Told in `error` events. */
  readonly requestId: string
}

const lostAfterMs = 15_000
/** How long what is under way may take to be sent when it closes. */
const closeWithinMs = 2_000

const sentFrameBytes = (spokenRateHz / 1000) * frameMs * 2
const heardFrameSamples = (heardRateHz / 1000) * frameMs

export const createWebsocketTransport = ({ requestId }: WebsocketTransportOptions): Transport & WebsocketPeer => {
  const calls = createPeerCalls()
  const outlet = createPeerOutlet()
  const resampler = createResampler({ fromHz: spokenRateHz, toHz: heardRateHz })
  let heard = new Int16Array(0)
  let listener: TransportListener | undefined
  let attached = 0
  let state: 'waiting' | 'open' | 'over' = 'waiting'
  let badAudioTold = false

  const lose = (reason: LossReason): void => {
    if (state === 'over') return
    state = 'over'
    clearTimeout(silence)
    listener?.onLost(reason)
  }
  const silence = setTimeout(() => lose('connection_lost'), lostAfterMs)

  const put = (chunk: PeerChunk): void => {
    // Not from within the caller's own call.
    if (state === 'open' && !outlet.push(chunk)) queueMicrotask(() => lose('connection_lost'))
  }
  const send = (event: SessionServerEvent): void => put({ kind: 'message', text: JSON.stringify(event) })
  const tell = (error: ServiceError): void => send(errorBody(error, requestId))

  const reader = createClientEventReader({ onEvent: (event) => listener?.onEvent(event), onError: tell })

  const onAudio = (bytes: Buffer) => {
    if (bytes.length !== sentFrameBytes) {
      if (!badAudioTold) {
        badAudioTold = true
        const detail = `Audio is frames of ${sentFrameBytes} bytes: 20 ms of pcm_s16le, mono, at ${spokenRateHz} Hz.`
        tell(new ServiceError('invalid_request', detail))
      }
      return
    }
    const samples = new Int16Array(bytes.length / 2)
    for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(2 * i)
    const resampled = resampler.resample(samples)
    const joined = new Int16Array(heard.length + resampled.length)
    joined.set(heard)
    joined.set(resampled, heard.length)
    let start = 0
    for (; start + heardFrameSamples <= joined.length; start += heardFrameSamples) {
      if (state === 'open') listener?.onAudio(joined.slice(start, start + heardFrameSamples))
    }
    heard = joined.slice(start)
  }

  const open = (): void => {
    silence.refresh()
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
      clearTimeout(silence)
      listener = undefined
      outlet.end()
      if (!wasOpen) return
      const timer = new Promise<void>((resolve) => setTimeout(resolve, closeWithinMs).unref())
      await Promise.race([outlet.emptied(), timer])
    },

    async *attach(signal) {
      if (state === 'over') throw new ServiceError('session_ended', 'This session has ended.')
      const own = ++attached
      calls.restart()
      open()
      yield* outlet.read(signal)
      if (signal.aborted && own === attached) lose('user_disconnected')
    },
    receive(seq, items) {
      if (state !== 'open') return
      silence.refresh()
      for (const item of calls.take(seq, items)) {
        if (item.kind === 'message') reader.read(item.text)
        else onAudio(Buffer.from(item.data, 'base64'))
      }
    },
  }
}
