/** Work that must end before a process stops, such as the settlement of a bill. */
export const createPendingWork = () => {
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
    /** Counts a piece of work until the returned function is called. Later calls do nothing. */
    begin,
    /**
     * Starts work that `open` sets up and that lasts until `end` is called, or until `open` rejects. Rejects as `open` does.
     */
    async open<Work>(open: (end: () => void) => Promise<Work>): Promise<Work> {
      const end = begin()
      try {
        return await open(end)
      } catch (error) {
        end()
        throw error
      }
    },
    /** Resolves when all work that has begun so far is over. */
    allDone: async (): Promise<void> => void (await Promise.all(pending)),
  }
}
