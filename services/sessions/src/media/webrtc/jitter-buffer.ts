/**
 * Orders the packets of one stream and removes jitter. It has no clock: each `take` advances its time.
 *
 * - `cursor` is the timestamp of the audio that is taken next. Order, duplicates and lateness follow from the timestamps alone,
 *   which identify audio in Opus. They are unwrapped from their 32 bits on arrival.
 * - The delay is the audio that waits after the cursor. It grows when there is nothing to take and when a packet is late: then
 *   concealed audio is taken and the cursor stays. It shrinks by one packet when for two seconds there was always one more
 *   packet than needed and 20 ms more. So it follows the jitter and the drift between the two clocks.
 * - A time without packets is a pause (DTX, a muted microphone, a lost peer). The next packet starts anew, whatever its
 *   timestamp.
 */
import { opusClockHz } from './opus-packet.js'

export interface TimedPacket {
  /** 32 bits, in samples at 48 kHz. */
  readonly timestamp: number
  /** The duration, in samples at 48 kHz. */
  readonly samples: number
  readonly payload: Uint8Array
}

export type Taken =
  | { readonly kind: 'packet'; readonly payload: Uint8Array }
  /** Audio is missing: conceal this many samples at 48 kHz. */
  | { readonly kind: 'lost'; readonly samples: number }
  /** The stream pauses, or has not begun. */
  | { readonly kind: 'silence'; readonly samples: number }

export interface JitterBuffer {
  push(packet: TimedPacket): void
  /** The audio after that of the last call. */
  take(): Taken
  /** The delay, in ms. */
  waitingMs(): number
  /** Drops all packets and starts anew. */
  reset(): void
}

const samplesPerMs = opusClockHz / 1000
const stepSamples = 20 * samplesPerMs
const initialDelaySamples = 40 * samplesPerMs
const maxDelaySamples = 120 * samplesPerMs
/** A longer time without packets, or a longer gap between timestamps, is a pause. */
const pauseSamples = 60 * samplesPerMs
/** A larger step of the timestamps is another stream, and not a packet out of order. */
const maxStepSamples = 2000 * samplesPerMs
const maxPackets = 64
const maxRecentlyTaken = 16
/** The number of takes in which the delay must have been longer than needed: two seconds of packets of 20 ms. */
const shrinkAfterTakes = 100

export const createJitterBuffer = (): JitterBuffer => {
  /** Ordered by timestamp. */
  let waiting: TimedPacket[] = []
  /** Undefined in a pause, while packets are buffered for the next start. */
  let cursor: number | undefined
  /** The last unwrapped timestamp, from which the next one is unwrapped. */
  let reference: number | undefined
  /** Samples concealed since the last packet; in a pause, samples of silence since the first packet waits. */
  let filled = 0
  let mustGrow = false
  /** Timestamps that were taken last. A second copy of such a packet is not late. */
  let recentlyTaken: number[] = []
  let minSpare = Number.POSITIVE_INFINITY
  let takesSinceShrink = 0

  const pause = (): void => {
    cursor = undefined
    filled = 0
    mustGrow = false
    minSpare = Number.POSITIVE_INFINITY
    takesSinceShrink = 0
  }

  const reset = (): void => {
    waiting = []
    recentlyTaken = []
    reference = undefined
    pause()
  }

  const waitingSamples = (): number => {
    const last = waiting.at(-1)
    return last === undefined ? 0 : last.timestamp + last.samples - (cursor ?? (waiting[0] as TimedPacket).timestamp)
  }

  const unwrap = (timestamp: number): number => {
    if (reference === undefined) return timestamp
    return reference + ((timestamp - reference) | 0)
  }

  const insert = (packet: TimedPacket): void => {
    const after = waiting.findLastIndex(({ timestamp }) => timestamp <= packet.timestamp)
    if (waiting[after]?.timestamp !== packet.timestamp) waiting.splice(after + 1, 0, packet)
  }

  /** Whether the initial delay is buffered, or has passed since the first packet. */
  const canBegin = (): boolean => {
    if (waiting.length === 0) return false
    if (waitingSamples() >= initialDelaySamples) return true
    filled += stepSamples
    return filled > initialDelaySamples
  }

  const fill = (samples: number): Taken => {
    filled += samples
    if (filled > pauseSamples) pause()
    return { kind: 'lost', samples }
  }

  /** The samples that wait after the next packet. */
  const spareSamples = (): number => waitingSamples() - (waiting[0] as TimedPacket).samples

  /** Moves over a gap in which the stream itself paused: there is nothing to conceal. */
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
    minSpare = Math.min(minSpare, spareSamples())
    if (++takesSinceShrink < shrinkAfterTakes) return
    if (waiting.length > 1 && minSpare >= (waiting[0] as TimedPacket).samples + stepSamples) drop()
    minSpare = Number.POSITIVE_INFINITY
    takesSinceShrink = 0
  }

  return {
    push({ timestamp: wrapped, samples, payload }) {
      let timestamp = unwrap(wrapped)
      if (reference !== undefined && Math.abs(timestamp - reference) > maxStepSamples) {
        reset()
        timestamp = wrapped
      }
      reference = timestamp
      if (cursor !== undefined && timestamp < cursor) {
        mustGrow ||= !recentlyTaken.includes(timestamp)
        return
      }
      insert({ timestamp, samples, payload })
      if (waiting.length > maxPackets) waiting.shift()
    },
    take() {
      if (cursor === undefined) {
        if (!canBegin()) return { kind: 'silence', samples: stepSamples }
        cursor = (waiting[0] as TimedPacket).timestamp
        filled = 0
      }
      crossPause()
      while (waiting.length > 1 && spareSamples() > maxDelaySamples) drop()
      const [next] = waiting
      if (next === undefined) return fill(stepSamples)
      if (mustGrow && waitingSamples() < maxDelaySamples) {
        mustGrow = false
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
      recentlyTaken = [taken.timestamp, ...recentlyTaken.slice(0, maxRecentlyTaken - 1)]
      filled = 0
      return { kind: 'packet', payload: taken.payload }
    },
    waitingMs: () => waitingSamples() / samplesPerMs,
    reset,
  }
}
