import { streamCloseCodes, streamLimits } from '@parlance/contracts'

interface StreamTimeoutsOptions {
  readonly inactivityTimeoutSeconds: number
  /** A busy connection is not idle, even if its client sends nothing. */
  readonly isBusy: () => boolean
  readonly close: (code: number, reason: string) => void
}

/** Closes a connection whose client sends nothing during the inactivity timeout, and one that reaches its maximum duration. */
export const createStreamTimeouts = ({ inactivityTimeoutSeconds, isBusy, close }: StreamTimeoutsOptions) => {
  const begunMs = performance.now()
  let activeAtMs = begunMs
  let timer: NodeJS.Timeout | undefined

  /** Sets the timer for the earliest time at which a limit can be reached. It is not reset for each message: there are many. */
  const check = () => {
    clearTimeout(timer)
    const nowMs = performance.now()
    const lifeLeftMs = begunMs + streamLimits.life_seconds * 1000 - nowMs
    const idleLeftMs = isBusy() ? lifeLeftMs : activeAtMs + inactivityTimeoutSeconds * 1000 - nowMs
    if (lifeLeftMs <= 0) return close(1000, 'maximum duration reached')
    if (idleLeftMs <= 0) return close(streamCloseCodes.timedOut, `nothing was sent for ${inactivityTimeoutSeconds} s`)
    timer = setTimeout(check, Math.ceil(Math.min(lifeLeftMs, idleLeftMs)))
  }
  check()

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
    stop: () => clearTimeout(timer),
  }
}
