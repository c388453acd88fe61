/** The time limit of the start of a conversation, and of each turn. */
const timeoutMs = 30_000

/** Waits for what happens in a conversation of a `Caller`, which reports every change here. */
export const createConversationWait = () => {
  let onChange = () => {}
  let endReason: string | undefined
  let problem: string | undefined

  return {
    /** Something has changed that `until` may wait for. */
    changed: (): void => onChange(),
    /** The conversation is over. Only the first reason counts. */
    end(reason: string): void {
      endReason ??= reason
      onChange()
    },
    hasEnded: (): boolean => endReason !== undefined,
    /** The service has reported an error. Undefined removes the last one, as at the beginning of a turn. */
    setProblem(detail: string | undefined): void {
      problem = detail
      onChange()
    },
    /** Resolves when `isSo`. Rejects when the conversation ends before, after an error of the service, and after 30 s. */
    async until(
      isSo: () => boolean,
      { late = `there was no reply within ${timeoutMs / 1000} s`, ignoresProblems = false } = {},
    ): Promise<void> {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        onChange()
      }, timeoutMs)
      try {
        while (!isSo()) {
          if (endReason !== undefined) throw new Error(problem ?? endReason)
          if (problem !== undefined && !ignoresProblems) throw new Error(problem)
          if (isLate) throw new Error(late)
          await new Promise<void>((resolve) => {
            onChange = resolve
          })
        }
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
