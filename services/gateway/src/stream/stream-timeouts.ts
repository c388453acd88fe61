import { streamCloseCodes, streamLimits } from '@parlance/contracts'
import type { WebSocket } from 'ws'
import { watchClientLiveness } from '../websocket/client-liveness.js'

const pingIntervalMs = 15_000

interface StreamTimeoutsOptions {
  readonly socket: WebSocket
  readonly inactivityTimeoutSeconds: number
  /** A busy connection is not idle, even if its client sends nothing. */
  readonly isBusy: () => boolean
  readonly close: (code: number, reason: string) => void
}

/**
 * Closes a connection whose client sends nothing during the inactivity timeout, or answers no ping, and one that reaches its maximum
 * duration.
 */
export const createStreamTimeouts = ({ socket, inactivityTimeoutSeconds, isBusy, close }: StreamTimeoutsOptions) => {
  const begunMs = performance.now()
  let activeAtMs = begunMs
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  /** Sets the timer for the earliest time at which a limit can be reached. It is not reset for each message: there are many. */
  const check = () => {
    clearTimeout(timer)
    if (isClosed) return
    const nowMs = performance.now()
    const lifeLeftMs = begunMs + streamLimits.life_seconds * 1000 - nowMs
    const idleLeftMs = isBusy() ? lifeLeftMs : activeAtMs + inactivityTimeoutSeconds * 1000 - nowMs
    if (lifeLeftMs <= 0) return close(1000, 'maximum duration reached')
    if (idleLeftMs <= 0) return close(streamCloseCodes.timedOut, `nothing was sent for ${inactivityTimeoutSeconds} s`)
    timer = setTimeout(check, Math.ceil(Math.min(lifeLeftMs, idleLeftMs)))
  }
  check()
  watchClientLiveness(socket, () => close(streamCloseCodes.timedOut, 'no pong received'), pingIntervalMs)
  socket.once('close', () => {
    isClosed = true
    clearTimeout(timer)
  })

  return {
    /** The client has sent something: the inactivity timeout restarts. */
    active() {
      activeAtMs = performance.now()
    },
    /** The connection may no longer be busy: the inactivity timeout restarts. */
    restart() {
      activeAtMs = performance.now()
      check()
    },
  }
}
