/** The WebSockets of one kind that are open in this process, and their limit. */
import { draining, ServiceError } from '@parlance/contracts'
import type { Logger } from '@parlance/telemetry'
import type { WebSocket } from 'ws'

/** A connection, as it is ended by the server. */
export interface OpenConnection {
  /** Accepts no new work except a first one, and closes when the work in progress has ended, or about `deadlineMs` later. */
  drain(deadlineMs: number): void
}

interface OpenSocketsOptions {
  readonly maxConnections: number
  readonly logger: Logger
  /** Called with the number of connections whenever it changes. */
  readonly onCount?: (count: number) => void
}

/** The time after the drain in which connections are closed, and their clients answer the close. */
const closeWithinMs = 3_500

export type OpenSockets = ReturnType<typeof createOpenSockets>

export const createOpenSockets = ({ maxConnections, logger, onCount = () => {} }: OpenSocketsOptions) => {
  const connections = new Map<WebSocket, OpenConnection>()
  let admitting = 0
  let drainsUntilMs: number | undefined
  let onEmpty = (): void => {}

  /** Throws `draining` once `stop` was called. */
  const checkRunning = (): void => {
    if (drainsUntilMs !== undefined) throw draining()
  }
  /** Throws `draining` once `stop` was called, and `capacity_exhausted` when the limit is reached. */
  const checkCapacity = (): void => {
    checkRunning()
    if (connections.size + admitting < maxConnections) return
    throw new ServiceError('capacity_exhausted', 'This server has too many connections now. Try again.')
  }

  return {
    checkRunning,
    checkCapacity,

    /** Counts a connection while it is being admitted. Rejects as `checkCapacity` throws. */
    async whileAdmitting<Admitted>(admit: () => Promise<Admitted>): Promise<Admitted> {
      checkCapacity()
      admitting += 1
      try {
        return await admit()
      } finally {
        admitting -= 1
      }
    },

    /** Counts a connection until its socket is closed. It has the rest of the time to drain when `stop` was called. */
    add(socket: WebSocket, connection: OpenConnection): void {
      connections.set(socket, connection)
      onCount(connections.size)
      socket.on('error', (err) => logger.info({ err }, 'A WebSocket failed'))
      socket.once('close', () => {
        connections.delete(socket)
        onCount(connections.size)
        if (connections.size === 0) onEmpty()
      })
      if (drainsUntilMs !== undefined) connection.drain(Math.max(0, Math.round(drainsUntilMs - performance.now())))
    },

    /** Drains all connections. Resolves when they are closed; those that are open after the time and a little more are cut. */
    async stop(withinMs: number): Promise<void> {
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
