/**
 * The audio of one context that is sent to the client. It is at most `maxAheadMs` ahead of playback, however fast the
 * client reads. Bytes that the kernel buffers for a client that does not read count as sent, so only this limits them.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { StreamServerMessage } from '@parlance/contracts'
import type { OutboundQueue } from '../websocket/outbound-queue.js'
import type { AudioChunk, AudioPayload, FramedContext } from './audio-frame.js'

const maxAheadMs = 10_000
/**
 * A client that is `maxAheadMs` ahead receives no more until it is at least this much less ahead. Sending each chunk
 * as soon as it fits would wake the stream for each chunk, and streams that started together would always wake together.
 */
const restMs = 1_000

export type PacedAudio = ReturnType<typeof createPacedAudio>

interface PacedAudioOptions {
  readonly framed: FramedContext
  readonly payload: AudioPayload
  readonly outbound: Pick<OutboundQueue<StreamServerMessage>, 'isOpen' | 'isWritable' | 'sendFrame' | 'writable'>
  /** Aborted when nothing more is to be sent. */
  readonly signal: AbortSignal
  /** Called with each chunk when it is sent. `nowMs` is on the clock of `performance`. */
  onSent(chunk: AudioChunk, nowMs: number): void
}

export const createPacedAudio = ({ framed, payload, outbound, signal, onSent }: PacedAudioOptions) => {
  const { isOpen, isWritable, sendFrame } = outbound
  /** When all audio that was sent will have been played, on the clock of `performance`. */
  let playedAtMs = Number.NEGATIVE_INFINITY

  /**
   * Sends the chunk when it is due. Returns a promise when it cannot be sent yet, which resolves when it was sent. Rejects with
   * the signal's reason. A chunk is dropped once the connection is being closed.
   */
  const send = (chunk: AudioChunk): void | Promise<void> => {
    const nowMs = performance.now()
    const tooFarMs = playedAtMs - nowMs - maxAheadMs
    if (tooFarMs > 0 || !isWritable()) return sendWhenDue(chunk, tooFarMs)
    if (!isOpen()) return
    playedAtMs = Math.max(playedAtMs, nowMs) + chunk.duration_ms
    onSent(chunk, nowMs)
    sendFrame(payload(framed, chunk), chunk.duration_ms)
  }

  const sendWhenDue = async (chunk: AudioChunk, tooFarMs: number): Promise<void> => {
    if (tooFarMs > 0) await delay(tooFarMs + restMs * (0.5 + Math.random() / 2), undefined, { signal })
    await outbound.writable()
    if (!signal.aborted) await send(chunk)
  }

  return {
    send,
    /** How much audio is still to be played by a listener that started with the first chunk and waited for late ones. */
    aheadMs: () => Math.max(0, playedAtMs - performance.now()),
  }
}
