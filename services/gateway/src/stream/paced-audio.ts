/**
 * The audio of one context on its way to the client, never further ahead of a listener than `mostAheadMs`, however fast the
 * client reads.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { StreamServerMessage } from '@parlance/contracts'
import type { OutboundQueue } from '../websocket/outbound-queue.js'
import { type AudioChunk, audioFramePayload, type FramedContext } from './audio-frame.js'
import { advance, aheadMs, createPlayhead, heardMs } from './playhead.js'

const mostAheadMs = 10_000
/**
 * Who has so much is left alone until he has this much less, or somewhat more: a piece at a time would wake everybody for
 * each, and readers who began together would be served together for ever.
 */
const restMs = 1_000

export interface PacedAudio {
  /** What it answers is room for the next. Rejects with the signal's reason. */
  send(chunk: AudioChunk): void | Promise<void>
  /** How much of it was sent, and how much a listener can have heard by now. */
  sentMs(): number
  heardMs(): number
}

export interface PacedAudioOptions {
  readonly framed: FramedContext
  readonly outlet: Pick<OutboundQueue<StreamServerMessage>, 'isWritable' | 'sendFrame' | 'writable'>
  /** Aborted when nothing more is to be sent. */
  readonly signal: AbortSignal
  /** The first of it is sent now, on the clock of `performance`. */
  onFirst(nowMs: number): void
}

export const createPacedAudio = ({ framed, outlet, signal, onFirst }: PacedAudioOptions): PacedAudio => {
  const { isWritable, sendFrame } = outlet
  const playhead = createPlayhead()
  let begun = false

  const send = (chunk: AudioChunk): void | Promise<void> => {
    const nowMs = performance.now()
    const tooFarMs = aheadMs(playhead, nowMs) - mostAheadMs
    if (tooFarMs > 0 || !isWritable()) return sendWhenDue(chunk, tooFarMs)
    if (!begun) {
      begun = true
      onFirst(nowMs)
    }
    advance(playhead, chunk, nowMs)
    sendFrame(audioFramePayload(framed, chunk), chunk.duration_ms)
  }

  const sendWhenDue = async (chunk: AudioChunk, tooFarMs: number): Promise<void> => {
    if (tooFarMs > 0) await delay(tooFarMs + restMs * (0.5 + Math.random() / 2), undefined, { signal })
    await outlet.writable()
    if (!signal.aborted) await send(chunk)
  }

  return { send, sentMs: () => playhead.sentMs, heardMs: () => heardMs(playhead, performance.now()) }
}
