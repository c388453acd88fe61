/**
 * Puts the packets of one stream into order and evens out when they come: pure, and moved by whoever takes from it.
 *
 * - Time is the stream's own: `cursor` is the timestamp of what is taken next. Order, duplicates and lateness follow from
 *   timestamps alone, which for Opus name the audio; they are widened beyond their 32 bits when they come in.
 * - What waits beyond the cursor is the delay. It grows when nothing is there to take, or when a packet comes too late: then
 *   time is filled without moving the cursor. It shrinks by one packet when for two seconds there was always one to spare and
 *   20 ms more. So it follows the jitter, and the difference of the two clocks.
 * - Nothing for a while is a pause (DTX, a muted microphone, a lost peer): what comes next starts anew, wherever it is in time.
 */
import { opusClockHz } from './opus-packet.js'

export interface TimedPacket {
  /** 32 bits, in samples at 48 kHz. */
  readonly timestamp: number
  /** What it holds, in samples at 48 kHz. */
  readonly samples: number
  readonly payload: Uint8Array
}

export type Taken =
  | { readonly kind: 'packet'; readonly payload: Uint8Array }
  /** Audio was there once: fill this many samples at 48 kHz with something like it. */
  | { readonly kind: 'lost'; readonly samples: number }
  /** Nothing is expected. */
  | { readonly kind: 'silence'; readonly samples: number }

export interface JitterBuffer {
  push(packet: TimedPacket): void
  /** The audio after the last that was taken. */
  take(): Taken
  /** What waits, in ms. */
  waitingMs(): number
  /** Forgets the stream. */
  reset(): void
}

const samplesAMs = opusClockHz / 1000
const stepSamples = 20 * samplesAMs
const firstDepthSamples = 40 * samplesAMs
const mostDepthSamples = 120 * samplesAMs
/** Nothing for so long is a pause, and a hole that wide is one too. */
const pauseSamples = 60 * samplesAMs
/** Farther from the cursor than that is another stream, not a packet out of order. */
const strangeSamples = 2000 * samplesAMs
const mostPackets = 64
const takenRemembered = 16
/** Takes over which the least that was spare is looked at: two seconds of packets of 20 ms. */
const shrinkAfterTakes = 100

export const createJitterBuffer = (): JitterBuffer => {
  /** By timestamp, the oldest first. */
  let waiting: TimedPacket[] = []
  /** Undefined in a pause, while audio gathers for the next start. */
  let cursor: number | undefined
  /** The widened timestamp that the next one is widened by. */
  let reference: number | undefined
  /** Time filled since the last packet, or, in a pause, since the first one waits. */
  let filled = 0
  let grows = false
  /** What was taken last: a second copy of that is not late. */
  let takenLast: number[] = []
  let leastSpare = Number.POSITIVE_INFINITY
  let takesSinceShrink = 0

  const pause = (): void => {
    cursor = undefined
    filled = 0
    grows = false
    leastSpare = Number.POSITIVE_INFINITY
    takesSinceShrink = 0
  }

  const reset = (): void => {
    waiting = []
    takenLast = []
    reference = undefined
    pause()
  }

  const waitingSamples = (): number => {
    const last = waiting.at(-1)
    return last === undefined ? 0 : last.timestamp + last.samples - (cursor ?? (waiting[0] as TimedPacket).timestamp)
  }

  const widen = (timestamp: number): number => {
    if (reference === undefined) return timestamp
    return reference + ((timestamp - reference) | 0)
  }

  const insert = (packet: TimedPacket): void => {
    const after = waiting.findLastIndex(({ timestamp }) => timestamp <= packet.timestamp)
    if (waiting[after]?.timestamp !== packet.timestamp) waiting.splice(after + 1, 0, packet)
  }

  /** Whether what waits is enough to begin with, or has waited as long as that takes. */
  const begins = (): boolean => {
    if (waiting.length === 0) return false
    if (waitingSamples() >= firstDepthSamples) return true
    filled += stepSamples
    return filled > firstDepthSamples
  }

  const fill = (samples: number): Taken => {
    filled += samples
    if (filled > pauseSamples) pause()
    return { kind: 'lost', samples }
  }

  /** Beyond the packet that is next. */
  const spareSamples = (): number => waitingSamples() - (waiting[0] as TimedPacket).samples

  /** Nothing is filled in where the stream itself paused. */
  const crossPause = (): void => {
    const [next] = waiting
    if (next !== undefined && cursor !== undefined && next.timestamp - cursor > pauseSamples) cursor = next.timestamp
  }

  const drop = (): void => {
    const dropped = waiting.shift() as TimedPacket
    cursor = dropped.timestamp + dropped.samples
    crossPause()
  }

  const shrink = (): void => {
    leastSpare = Math.min(leastSpare, spareSamples())
    if (++takesSinceShrink < shrinkAfterTakes) return
    if (waiting.length > 1 && leastSpare >= (waiting[0] as TimedPacket).samples + stepSamples) drop()
    leastSpare = Number.POSITIVE_INFINITY
    takesSinceShrink = 0
  }

  return {
    push({ timestamp: narrow, samples, payload }) {
      let timestamp = widen(narrow)
      if (reference !== undefined && Math.abs(timestamp - reference) > strangeSamples) {
        reset()
        timestamp = narrow
      }
      reference = timestamp
      if (cursor !== undefined && timestamp < cursor) {
        grows ||= !takenLast.includes(timestamp)
        return
      }
      insert({ timestamp, samples, payload })
      if (waiting.length > mostPackets) waiting.shift()
    },
    take() {
      if (cursor === undefined) {
        if (!begins()) return { kind: 'silence', samples: stepSamples }
        cursor = (waiting[0] as TimedPacket).timestamp
        filled = 0
      }
      crossPause()
      while (waiting.length > 1 && spareSamples() > mostDepthSamples) drop()
      const [next] = waiting
      if (next === undefined) return fill(stepSamples)
      if (grows && waitingSamples() < mostDepthSamples) {
        grows = false
        return fill(stepSamples)
      }
      if (next.timestamp > cursor) {
        const samples = Math.min(next.timestamp - cursor, stepSamples)
        cursor += samples
        return fill(samples)
      }
      shrink()
      const taken = waiting.shift() as TimedPacket
      cursor = taken.timestamp + taken.samples
      takenLast = [taken.timestamp, ...takenLast.slice(0, takenRemembered - 1)]
      filled = 0
      return { kind: 'packet', payload: taken.payload }
    },
    waitingMs: () => waitingSamples() / samplesAMs,
    reset,
  }
}
