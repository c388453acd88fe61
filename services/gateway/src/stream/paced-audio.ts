/**
 * The audio of one context that is sent to the client. It is at most `maxAheadMs` ahead of playback, however fast the
 * client reads.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { StreamServerMessage } from '@parlance/contracts'
import type { OutboundQueue } from '../websocket/outbound-queue.js'
import { type AudioChunk, audioFramePayload, type FramedContext } from './audio-frame.js'
import { advance, aheadMs, createPlayhead, playedMs } from './playhead.js'

const maxAheadMs = 10_000
/**
 * A client that is `maxAheadMs` ahead receives no more until it is at least this much less ahead. Sending each chunk
 * as soon as it fits would wake the stream for each chunk, and streams that started together would always wake together.
 */
const restMs = 1_000

export interface PacedAudio {
  /**
   * Returns a promise when no further chunk may be sent yet, which resolves when one may. Rejects with the signal's reason. A
   * chunk is dropped, and does not count as sent, once the connection is being closed.
   */
  send(chunk: AudioChunk): void | Promise<void>
  /** The audio that was sent, how much of it a listener can have played by now, and how much is still to be played. */
  sentMs(): number
  playedMs(): number
  aheadMs(): number
}

export interface PacedAudioOptions {
  readonly framed: FramedContext
  readonly outbound: Pick<OutboundQueue<StreamServerMessage>, 'isOpen' | 'isWritable' | 'sendFrame' | 'writable'>
  /** Aborted when nothing more is to be sent. */
  readonly signal: AbortSignal
  /** Called when the first audio is sent. `nowMs` is on the clock of `performance`. */
  onFirst(nowMs: number): void
}

export const createPacedAudio = ({ framed, outbound, signal, onFirst }: PacedAudioOptions): PacedAudio => {
  const { isOpen, isWritable, sendFrame } = outbound
  const playhead = createPlayhead()
  let begun = false

  const send = (chunk: AudioChunk): void | Promise<void> => {
    const nowMs = performance.now()
    const tooFarMs = aheadMs(playhead, nowMs) - maxAheadMs
    if (tooFarMs > 0 || !isWritable()) return sendWhenDue(chunk, tooFarMs)
    if (!isOpen()) return
    if (!begun) {
      begun = true
      onFirst(nowMs)
    }
    advance(playhead, chunk, nowMs)
    sendFrame(audioFramePayload(framed, chunk), chunk.duration_ms)
  }

  const sendWhenDue = async (chunk: AudioChunk, tooFarMs: number): Promise<void> => {
    if (tooFarMs > 0) await delay(tooFarMs + restMs * (0.5 + Math.random() / 2), undefined, { signal })
    await outbound.writable()
    if (!signal.aborted) await send(chunk)
  }

  return {
    send,
    sentMs: () => playhead.sentMs,
    playedMs: () => playedMs(playhead, performance.now()),
    aheadMs: () => aheadMs(playhead, performance.now()),
  }
}
