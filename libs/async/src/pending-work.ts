/** Work that must end before a process stops, such as the settlement of a bill. */
export interface PendingWork {
  /** Counts a piece of work until the returned function is called. Later calls do nothing. */
  begin(): () => void
  /** Resolves when all work that has begun so far is over. */
  allDone(): Promise<void>
}

/** No work is pending at first. */
export const createPendingWork = (): PendingWork => {
  const pending = new Set<Promise<void>>()
  return {
    begin() {
      let end = () => {}
      const done = new Promise<void>((resolve) => {
        end = resolve
      })
      pending.add(done)
      return () => {
        pending.delete(done)
        end()
      }
    },
    allDone: async () => void (await Promise.all(pending)),
  }
}
