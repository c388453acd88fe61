/**
 * Whether the service is still there: it answers what is asked every 5 s. Counted in questions and not in time, so that a page
 * that was stopped does not take its own absence for that of the service.
 */
export interface Liveness {
  /** Something came of it. */
  heard(): void
  close(): void
}

/** The service takes a page that says nothing for 12 s for lost. */
const askEveryMs = 5_000
const unansweredUntilAway = 2
/** By then it has given this page up, too. */
const unansweredUntilLost = 4

export const watchLiveness = (options: {
  readonly ask: () => void
  readonly onAway: () => void
  readonly onLost: () => void
}): Liveness => {
  let unanswered = 0
  const timer = setInterval(() => {
    unanswered++
    if (unanswered === unansweredUntilLost) {
      clearInterval(timer)
      options.onLost()
      return
    }
    if (unanswered === unansweredUntilAway) options.onAway()
    options.ask()
  }, askEveryMs)

  return {
    heard() {
      unanswered = 0
    },
    close: () => clearInterval(timer),
  }
}
