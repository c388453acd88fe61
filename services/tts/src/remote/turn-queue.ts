/** So many at once and the others in line: first come, first served. */
export interface TurnQueue {
  /** Resolves when it is one's turn, with what ends it. Rejects with the signal's reason. */
  enter(signal: AbortSignal): Promise<() => void>
}

export const createTurnQueue = (capacity: number): TurnQueue => {
  const line = new Set<() => void>()
  let free = capacity

  const leave = () => {
    free++
    const [next] = line
    next?.()
  }

  return {
    enter: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const giveUp = () => {
          line.delete(take)
          reject(signal.reason)
        }
        const take = () => {
          line.delete(take)
          signal.removeEventListener('abort', giveUp)
          free--
          resolve(leave)
        }
        if (free > 0) return take()
        line.add(take)
        signal.addEventListener('abort', giveUp, { once: true })
      }),
  }
}
