/** The streams that are open in this process, and the limit of connections. */
import { draining, ServiceError } from '@parlance/contracts'
import type { Logger, Metrics } from '@parlance/telemetry'
import type { WebSocket } from 'ws'
import type { StreamConnection } from './stream-connection.js'

export interface OpenStreamsOptions {
  /** The maximum number of connections. */
  readonly maxConnections: number
  readonly logger: Logger
  readonly metrics: Pick<Metrics, 'streamsActive'>
}

export interface OpenStreams {
  /** Throws `draining` once `stop` was called. */
  checkRunning(): void
  /** Counts a connection while it is being admitted. Rejects with `capacity_exhausted` when the limit is reached. */
  whileAdmitting<Admitted>(admit: () => Promise<Admitted>): Promise<Admitted>
  /** Counts a connection until its socket is closed. It has the rest of the time to drain when `stop` was called. */
  add(socket: WebSocket, connection: StreamConnection): void
  /** Drains all connections. Resolves when they are closed; those that are open after the time and a little more are cut. */
  stop(withinMs: number): Promise<void>
}

/** The time after the drain in which a client may answer the close of its connection. */
const closeWithinMs = 2_500

export const createOpenStreams = ({ maxConnections, logger, metrics }: OpenStreamsOptions): OpenStreams => {
  const connections = new Map<WebSocket, StreamConnection>()
  let admitting = 0
  let drainsUntilMs: number | undefined
  let onEmpty = (): void => {}

  return {
    checkRunning() {
      if (drainsUntilMs !== undefined) throw draining()
    },

    async whileAdmitting(admit) {
      if (connections.size + admitting >= maxConnections) {
        throw new ServiceError('capacity_exhausted', 'This server has too many streams now. Try again.')
      }
      admitting += 1
      try {
        return await admit()
      } finally {
        admitting -= 1
      }
    },

    add(socket, connection) {
      connections.set(socket, connection)
      metrics.streamsActive(connections.size)
      socket.on('error', (err) => logger.info({ err }, 'The socket of a stream failed'))
      socket.once('close', () => {
        connections.delete(socket)
        metrics.streamsActive(connections.size)
        if (connections.size === 0) onEmpty()
      })
      if (drainsUntilMs !== undefined) connection.drain(Math.max(0, Math.round(drainsUntilMs - performance.now())))
    },

    async stop(withinMs) {
      drainsUntilMs = performance.now() + withinMs
      if (connections.size === 0) return
      const closed = new Promise<void>((resolve) => {
        onEmpty = resolve
      })
      for (const connection of connections.values()) connection.drain(withinMs)
      const cut = setTimeout(() => {
        for (const socket of connections.keys()) socket.terminate()
      }, withinMs + closeWithinMs)
      await closed
      clearTimeout(cut)
    },
  }
}
