export interface TimedPacket {
  /** In samples at 48 kHz. */
  readonly timestamp: number
  /** The duration, in samples at 48 kHz. */
  readonly samples: number
  readonly payload: Uint8Array
}

const maxPackets = 64

/** Packets ordered by their unwrapped timestamps, at most 64. */
export class PacketQueue {
  readonly #packets: TimedPacket[] = []

  get length(): number {
    return this.#packets.length
  }

  get first(): TimedPacket | undefined {
    return this.#packets[0]
  }

  /** The samples from a timestamp to the end of the last packet. Without packets 0. */
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
