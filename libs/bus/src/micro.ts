import type { Contract, ServiceError } from '@parlance/contracts'
import type { Bus, Subscription } from './bus.js'
import { encodeJson } from './wire.js'

/**
 * Answers the requests of the NATS services protocol (`$SRV.PING`, `.INFO`, `.STATS`; for all, for a name, for one instance),
 * so that `nats micro ls`, `info` and `stats` show the services.
 */
export const createEndpoint = (name: string, subject: string, queueGroup: string) => {
  let requests = 0
  let errors = 0
  let lastError = ''
  let processingMs = 0
  const identity = { name, subject, queue_group: queueGroup }
  return {
    subject,
    record(elapsedMs: number, error: ServiceError | undefined): void {
      requests += 1
      processingMs += elapsedMs
      if (error === undefined) return
      errors += 1
      lastError = error.code
    },
    info: (): object => identity,
    // The protocol has times in whole nanoseconds.
    stats: (): object => ({
      ...identity,
      num_requests: requests,
      num_errors: errors,
      last_error: lastError,
      processing_time: Math.round(processingMs * 1e6),
      average_processing_time: requests === 0 ? 0 : Math.round((processingMs / requests) * 1e6),
    }),
  }
}

export type Endpoint = ReturnType<typeof createEndpoint>

interface MicroIdentity {
  instanceId: string
  /** These tools show each lane of an instance as a service. */
  lane?: string
  metadata?: Record<string, string>
}

export const answerMicro = (
  bus: Bus,
  { name, version, description }: Contract,
  endpoints: readonly Endpoint[],
  { instanceId, lane, metadata = {} }: MicroIdentity,
): { stop(): void } => {
  const id = lane === undefined ? instanceId : `${instanceId}-${lane}`
  const identity = { name, id, version, metadata }
  const started = new Date().toISOString()
  const answers: Record<string, () => object> = {
    PING: () => ({ type: 'io.nats.micro.v1.ping_response', ...identity }),
    INFO: () => ({
      type: 'io.nats.micro.v1.info_response',
      ...identity,
      description,
      endpoints: endpoints.map((endpoint) => endpoint.info()),
    }),
    STATS: () => ({
      type: 'io.nats.micro.v1.stats_response',
      ...identity,
      started,
      endpoints: endpoints.map((endpoint) => endpoint.stats()),
    }),
  }
  const subscriptions: Subscription[] = []
  for (const [verb, answer] of Object.entries(answers)) {
    for (const suffix of ['', `.${name}`, `.${name}.${id}`]) {
      subscriptions.push(
        bus.subscribe(`$SRV.${verb}${suffix}`, ({ reply }) => {
          if (reply !== undefined) bus.publish(reply, encodeJson(answer()))
        }),
      )
    }
  }
  return {
    stop() {
      for (const subscription of subscriptions) subscription.unsubscribe()
    },
  }
}
