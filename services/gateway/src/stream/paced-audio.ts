/**
 * The audio of one context on its way to the client, never further ahead of a listener than `maxAheadMs`, however fast the
 * client reads.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { StreamServerMessage } from '@parlance/contracts'
import type { OutboundQueue } from '../websocket/outbound-queue.js'
import { type AudioChunk, audioFramePayload, type FramedContext } from './audio-frame.js'
import { advance, aheadMs, createPlayhead, playedMs } from './playhead.js'

const maxAheadMs = 10_000
/**
 * A client that has so much audio gets no more until it has this much less, or somewhat more. To send a chunk as soon as it fits
 * would wake the stream for each chunk, and streams that began together would wake together for ever.
 */
const restMs = 1_000

export interface PacedAudio {
  /**
   * Returns a promise when there is no room for another chunk, which resolves when there is. Rejects with the signal's reason. A
   * chunk is dropped, and does not count as sent, once the connection is being closed.
   */
  send(chunk: AudioChunk): void | Promise<void>
  /** The audio that was sent, and what of it a listener can have played by now. */
  sentMs(): number
  playedMs(): number
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

  return { send, sentMs: () => playhead.sentMs, playedMs: () => playedMs(playhead, performance.now()) }
}
