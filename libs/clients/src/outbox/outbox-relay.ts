import { backoffMs } from '@parlance/async'
import type { Database } from '@parlance/store'
import type { Logger } from '@parlance/telemetry'
import { type OutboxEvent, sendFromOutbox } from './outbox.js'

export interface OutboxRelayOptions {
  readonly database: Pick<Database, 'acrossWorkspaces'>
  readonly destination: string
  /** Sends events in the order in which they happened. When it rejects, they are sent again, with the same ids. */
  readonly send: (events: readonly OutboxEvent[]) => Promise<unknown>
  readonly logger: Pick<Logger, 'warn'>
  /** Default 1,000. */
  readonly intervalMs?: number
}

/** Sends the events of an outbox at an interval, until it is stopped. */
export interface OutboxRelay {
  /** Resolves when nothing is being sent. The remaining events are sent by the next relay. */
  stop(): Promise<void>
}

const maxEvents = 100
/** The maximum time between two attempts to reach a service that accepts no events. */
const maxWaitMs = 10_000

/** Sends the events of an outbox. Any number of processes may do it at the same time. */
export const startOutboxRelay = (options: OutboxRelayOptions): OutboxRelay => {
  const { database, destination, send, logger, intervalMs = 1_000 } = options
  let stopped = false
  let failures = 0
  let timer: NodeJS.Timeout
  let sending: Promise<void> = Promise.resolve()

  const sendAll = async (): Promise<void> => {
    for (let sent = maxEvents; sent === maxEvents && !stopped; ) {
      sent = await sendFromOutbox(database, { destination, limit: maxEvents }, send)
    }
  }
  const waitMs = () =>
    failures === 0 ? intervalMs : backoffMs({ firstMs: 2 * intervalMs, maxMs: maxWaitMs }, failures)
  const onSent = () => {
    failures = 0
  }
  const onFailed = (err: unknown) => {
    failures += 1
    logger.warn({ err }, 'Events could not be sent and will be sent again')
  }
  const sendLater = () => {
    timer = setTimeout(() => {
      sending = sendAll()
        .then(onSent, onFailed)
        .finally(() => !stopped && sendLater())
    }, waitMs())
    timer.unref()
  }
  sendLater()

  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await sending
    },
  }
}
