import { performance } from 'node:perf_hooks'
import type { NatsConnection } from '@nats-io/transport-node'
import { type NatsBusOptions, type NatsRefusal, openConnection, refusalOf } from './nats-bus.js'

/** Subjects without wildcards, which a user of NATS should be able to publish to and to subscribe to. */
export interface ProbedSubjects {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
}

/** The result of a connection to NATS. */
export interface NatsProbe {
  /** Such as `2.10.4`. */
  readonly version: string
  readonly isEncrypted: boolean
  /** Whether the server asks clients for credentials. */
  readonly requiresAuthentication: boolean
  readonly roundTripMs: number
  /** The operations that the server refused. */
  readonly refusals: readonly NatsRefusal[]
}

/**
 * Connects to NATS as the bus does, subscribes to subjects, publishes an empty message to others, and reports what the server
 * refused. Rejects with `ServiceError('unavailable')` when no server accepts the connection.
 */
export const probeNats = async (
  options: Pick<NatsBusOptions, 'url' | 'name' | 'credentials' | 'tls' | 'inboxPrefix'>,
  { publish, subscribe }: ProbedSubjects,
): Promise<NatsProbe> => {
  const connection = await openConnection(options)
  try {
    const refusals: NatsRefusal[] = []
    void collectRefusals(connection, refusals)
    const roundTripMs = await measureRoundTrip(connection)
    // A subscription that is refused also gets its error in the callback.
    for (const subject of subscribe) connection.subscribe(subject, { callback: () => {} })
    for (const subject of publish) connection.publish(subject)
    // The server refuses an operation before it answers the next ping. The second round trip lets the client report the refusals.
    await connection.flush()
    await connection.flush()
    const { version = '0', tls_required, tls_available, auth_required } = connection.info ?? {}
    return {
      version,
      // The client uses TLS wherever the server offers it.
      isEncrypted: tls_required === true || tls_available === true,
      requiresAuthentication: auth_required === true,
      roundTripMs,
      refusals,
    }
  } finally {
    await connection.close()
  }
}

const collectRefusals = async (connection: NatsConnection, refusals: NatsRefusal[]): Promise<void> => {
  for await (const status of connection.status()) {
    if (status.type === 'error') refusals.push(refusalOf(status.error))
  }
}

const measureRoundTrip = async (connection: NatsConnection): Promise<number> => {
  const begunMs = performance.now()
  await connection.flush()
  return performance.now() - begunMs
}
