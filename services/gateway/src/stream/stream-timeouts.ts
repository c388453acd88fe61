import { streamCloseCodes, streamLimits } from '@parlance/contracts'

export interface StreamTimeoutsOptions {
  readonly inactivityTimeoutSeconds: number
  /** A connection that is busy is not idle, whatever its client sends. */
  readonly isBusy: () => boolean
  readonly close: (code: number, reason: string) => void
}

/** Closes a connection on which nothing is sent for its idle time, and one at the end of its life. */
export interface StreamTimeouts {
  /** The client has sent something: the idle time begins anew. */
  active(): void
  /** The connection is perhaps no longer busy: the idle time begins anew. */
  restart(): void
  stop(): void
}

export const createStreamTimeouts = (options: StreamTimeoutsOptions): StreamTimeouts => {
  const { inactivityTimeoutSeconds, isBusy, close } = options
  const begunMs = performance.now()
  let activeAtMs = begunMs
  let timer: NodeJS.Timeout | undefined

  /** Sets the timer for when a time can be over. A message does not set it anew: there are many of them. */
  const check = () => {
    clearTimeout(timer)
    const nowMs = performance.now()
    const lifeLeftMs = begunMs + streamLimits.life_seconds * 1000 - nowMs
    const idleLeftMs = isBusy() ? lifeLeftMs : activeAtMs + inactivityTimeoutSeconds * 1000 - nowMs
    if (lifeLeftMs <= 0) return close(1000, 'its life is over')
    if (idleLeftMs <= 0) return close(streamCloseCodes.timedOut, `nothing was sent for ${inactivityTimeoutSeconds} s`)
    timer = setTimeout(check, Math.ceil(Math.min(lifeLeftMs, idleLeftMs)))
  }
  check()

  return {
    active() {
      activeAtMs = performance.now()
    },
    restart() {
      activeAtMs = performance.now()
      check()
    },
    stop: () => clearTimeout(timer),
  }
}
