import type { Msg } from '@nats-io/transport-node'
import type { Headers, Message } from '../bus.js'

const noRespondersStatus = 503

/** A message of the NATS client as the bus port defines it. Subject and headers are decoded when they are read. */
export class ReceivedMessage implements Message {
  readonly #message: Msg

  constructor(message: Msg) {
    this.#message = message
  }

  get subject(): string {
    return this.#message.subject
  }

  get data(): Uint8Array {
    return this.#message.data
  }

  get reply(): string | undefined {
    return this.#message.reply || undefined
  }

  get headers(): Headers | undefined {
    const { headers } = this.#message
    if (headers === undefined) return undefined
    const byName: Record<string, string> = {}
    for (const [name, [value = '']] of headers) byName[name.toLowerCase()] = value
    return byName
  }

  get noResponders(): boolean {
    return this.data.length === 0 && this.#message.headers?.code === noRespondersStatus
  }
}
