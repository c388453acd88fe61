/**
 * Orders the packets of one stream and removes jitter. It has no clock: each `take` advances its time.
 *
 * - `cursor` is the timestamp of the audio that is taken next. Order, duplicates and lateness follow from the timestamps alone,
 *   which identify audio in Opus. They are unwrapped from their 32 bits on arrival.
 * - The delay is the audio that waits after the cursor. It grows when there is nothing to take and when a packet is late: then
 *   concealed audio is taken and the cursor stays. It shrinks by one packet when, for two seconds, at least one packet more than
 *   needed and another 20 ms were waiting. So it follows the jitter and the drift between the two clocks.
 * - It begins with 20 ms, and after a pause with what was needed before.
 * - Packets that come together after a stall of the network or of the sender are kept, so that no words are lost. While more waits than the
 *   longest delay, `isBehind` asks for another `take` at the same time.
 * - A time without packets is a pause (DTX, a muted microphone, a lost peer). The next packet restarts the buffer, whatever its
 *   timestamp.
 */
import { opusClockHz } from './rtp-packet.js'

interface TimedPacket {
  /** In samples at 48 kHz. */
  readonly timestamp: number
  /** The duration, in samples at 48 kHz. */
  readonly samples: number
  readonly payload: Uint8Array
}

/** Of 20 ms: 1.3 s. */
const maxPackets = 64

/** Packets ordered by their unwrapped timestamps, at most 64. */
class PacketQueue {
  readonly #packets: TimedPacket[] = []

  get length(): number {
    return this.#packets.length
  }

  get first(): TimedPacket | undefined {
    return this.#packets[0]
  }

  /** The samples from a timestamp to the end of the last packet; 0 without packets. */
  samplesAfter(timestamp: number): number {
    const last = this.#packets.at(-1)
    return last === undefined ? 0 : last.timestamp + last.samples - timestamp
  }

  /** Ignores a packet whose timestamp is in the queue already. Drops the first packet of a full queue. */
  insert(packet: TimedPacket): void {
    const after = this.#packets.findLastIndex(({ timestamp }) => timestamp <= packet.timestamp)
    if (this.#packets[after]?.timestamp !== packet.timestamp) this.#packets.splice(after + 1, 0, packet)
    if (this.#packets.length > maxPackets) this.#packets.shift()
  }

  removeFirst(): TimedPacket | undefined {
    return this.#packets.shift()
  }

  clear(): void {
    this.#packets.length = 0
  }
}

/** The number of takes in which the delay must have been longer than needed: two seconds of packets of 20 ms. */
const observedTakes = 100

/** Observes how much audio waits beyond the next packet, to find a delay that stays longer than needed. */
class DelaySurplus {
  #minSpareSamples: number | undefined
  #takes = 0

  /** Called once per packet taken. True after two seconds in which never less than `neededSamples` was spare. */
  observe(spareSamples: number, neededSamples: number): boolean {
    const minSpareSamples = Math.min(this.#minSpareSamples ?? spareSamples, spareSamples)
    this.#minSpareSamples = minSpareSamples
    if (++this.#takes < observedTakes) return false
    const isLonger = minSpareSamples >= neededSamples
    this.reset()
    return isLonger
  }

  reset(): void {
    this.#minSpareSamples = undefined
    this.#takes = 0
  }
}

export type Taken =
  | { readonly kind: 'packet'; readonly payload: Uint8Array }
  /** Audio is missing: conceal this many samples at 48 kHz. `next` is the packet that follows it, where that has come. */
  | { readonly kind: 'lost'; readonly samples: number; readonly next?: Uint8Array }
  /** The stream pauses, or has not begun. */
  | { readonly kind: 'silence'; readonly samples: number }

const samplesPerMs = opusClockHz / 1000
const stepSamples = 20 * samplesPerMs
const initialDelaySamples = 20 * samplesPerMs
const maxDelaySamples = 120 * samplesPerMs
/** A longer delay is not kept for the time after a pause. */
const maxInitialDelaySamples = 60 * samplesPerMs
/** A longer time without packets, or a longer gap between timestamps, is a pause. */
const pauseSamples = 60 * samplesPerMs
/** A larger step of the timestamps is another stream, and not a packet out of order. */
const maxStepSamples = 2000 * samplesPerMs
const maxRecentlyTaken = 16

export class JitterBuffer {
  readonly #waiting = new PacketQueue()
  readonly #surplus = new DelaySurplus()
  /** Undefined in a pause, while packets are buffered for the next start. */
  #cursor: number | undefined
  /** The last unwrapped timestamp, from which the next one is unwrapped. */
  #reference: number | undefined
  /** Samples concealed since the last packet; in a pause, samples of silence since the first packet waits. */
  #filled = 0
  #mustGrow = false
  /** What is buffered at the end of a pause. */
  #delaySamples = initialDelaySamples
  /** Timestamps that were taken last. A second copy of such a packet is not late. */
  readonly #recentlyTaken: number[] = []

  /** The timestamp of the packet has 32 bits. */
  push({ timestamp: wrapped, samples, payload }: TimedPacket): void {
    const timestamp = this.#unwrap(wrapped)
    this.#reference = timestamp
    if (this.#cursor === undefined || timestamp >= this.#cursor) this.#waiting.insert({ timestamp, samples, payload })
    else this.#mustGrow ||= !this.#recentlyTaken.includes(timestamp)
  }

  /** The audio after that of the last call. */
  take(): Taken {
    if (this.#cursor === undefined && !this.#begin()) return { kind: 'silence', samples: stepSamples }
    this.#crossPause()
    const next = this.#waiting.first
    if (next === undefined) return this.#fill(stepSamples)
    if (this.#mustGrow && this.#waitingSamples() < maxDelaySamples) {
      this.#mustGrow = false
      this.#delaySamples = Math.min(this.#delaySamples + stepSamples, maxInitialDelaySamples)
      return this.#fill(stepSamples)
    }
    const gapSamples = next.timestamp - (this.#cursor as number)
    if (gapSamples <= 0) return this.#takePacket()
    const lost = this.#fillGap(Math.min(gapSamples, stepSamples))
    return gapSamples <= stepSamples && lost.kind === 'lost' ? { ...lost, next: next.payload } : lost
  }

  /** More audio waits than the longest delay, as after a stall: it is due now. */
  isBehind(): boolean {
    return this.#waiting.length > 1 && this.#spareSamples() > maxDelaySamples
  }

  /** The delay, in ms. */
  waitingMs(): number {
    return this.#waitingSamples() / samplesPerMs
  }

  /** Drops all packets and resets the state. */
  reset(): void {
    this.#waiting.clear()
    this.#recentlyTaken.length = 0
    this.#reference = undefined
    this.#pause()
  }

  #pause(): void {
    this.#cursor = undefined
    this.#filled = 0
    this.#mustGrow = false
    this.#surplus.reset()
  }

  /** Resets the state when the timestamp belongs to another stream. */
  #unwrap(wrapped: number): number {
    if (this.#reference === undefined) return wrapped
    const step = (wrapped - this.#reference) | 0
    if (Math.abs(step) <= maxStepSamples) return this.#reference + step
    this.reset()
    return wrapped
  }

  #waitingSamples(): number {
    return this.#waiting.samplesAfter(this.#cursor ?? this.#waiting.first?.timestamp ?? 0)
  }

  /** The samples that wait after the next packet. */
  #spareSamples(): number {
    return this.#waitingSamples() - (this.#waiting.first as TimedPacket).samples
  }

  /** Ends a pause when the initial delay is buffered, or has passed since the first packet. Returns whether it did. */
  #begin(): boolean {
    const { first } = this.#waiting
    if (first === undefined) return false
    if (this.#waitingSamples() < this.#delaySamples) {
      this.#filled += stepSamples
      if (this.#filled <= this.#delaySamples) return false
    }
    this.#cursor = first.timestamp
    this.#filled = 0
    return true
  }

  #fill(samples: number): Taken {
    this.#filled += samples
    if (this.#filled > pauseSamples) this.#pause()
    return { kind: 'lost', samples }
  }

  #fillGap(samples: number): Taken {
    this.#cursor = (this.#cursor as number) + samples
    return this.#fill(samples)
  }

  /** Moves over a gap in which the stream itself paused: there is nothing to conceal. */
  #crossPause(): void {
    const { first } = this.#waiting
    if (first === undefined || this.#cursor === undefined) return
    if (first.timestamp - this.#cursor > pauseSamples) this.#cursor = first.timestamp
  }

  #removeFirst(): TimedPacket {
    const packet = this.#waiting.removeFirst() as TimedPacket
    this.#cursor = packet.timestamp + packet.samples
    return packet
  }

  #takePacket(): Taken {
    const { samples } = this.#waiting.first as TimedPacket
    if (this.#surplus.observe(this.#spareSamples(), samples + stepSamples) && this.#waiting.length > 1) {
      this.#delaySamples = initialDelaySamples
      this.#removeFirst()
      this.#crossPause()
    }
    const { timestamp, payload } = this.#removeFirst()
    this.#recentlyTaken.push(timestamp)
    if (this.#recentlyTaken.length > maxRecentlyTaken) this.#recentlyTaken.shift()
    this.#filled = 0
    return { kind: 'packet', payload }
  }
}
