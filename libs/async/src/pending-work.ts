/** Work that must end before a process stops, such as the settlement of a bill. */
export interface PendingWork {
  /** Counts a piece of work until the returned function is called. Later calls do nothing. */
  begin(): () => void
  /**
   * Starts work that `open` sets up and that lasts until `end` is called, or until `open` rejects. Rejects as `open` does.
   */
  open<Work>(open: (end: () => void) => Promise<Work>): Promise<Work>
  /** Resolves when all work that has begun so far is over. */
  allDone(): Promise<void>
}

/** No work is pending at first. Its `open` rejects as what it calls does. */
export const createPendingWork = (): PendingWork => {
  const pending = new Set<Promise<void>>()
  const begin = () => {
    let end = () => {}
    const done = new Promise<void>((resolve) => {
      end = resolve
    })
    pending.add(done)
    return () => {
      pending.delete(done)
      end()
    }
  }
  return {
    begin,
    async open(open) {
      const end = begin()
      try {
        return await open(end)
      } catch (error) {
        end()
        throw error
      }
    },
    allDone: async () => void (await Promise.all(pending)),
  }
}
