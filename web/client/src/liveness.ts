/**
 * Notices that the service no longer answers. It counts pings and not time, so that a suspended page does not
 * mistake its own pause for a silence of the service.
 */
export interface Liveness {
  /** A message of the service was received. */
  received(): void
  close(): void
}

/** The service treats a page that sends nothing for 12 s as lost. */
const pingIntervalMs = 5_000
const unansweredPingsUntilAway = 2
/** By then the service has ended the session. */
const unansweredPingsUntilLost = 4

export const watchLiveness = (options: {
  readonly ping: () => void
  readonly onAway: () => void
  readonly onLost: () => void
}): Liveness => {
  let unanswered = 0
  const timer = setInterval(() => {
    unanswered++
    if (unanswered === unansweredPingsUntilLost) {
      clearInterval(timer)
      options.onLost()
      return
    }
    if (unanswered === unansweredPingsUntilAway) options.onAway()
    options.ping()
  }, pingIntervalMs)

  return {
    received() {
      unanswered = 0
    },
    close: () => clearInterval(timer),
  }
}
