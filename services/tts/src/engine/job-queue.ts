/** First come, first served, and no more than `limit` waiting. */
export interface JobQueue<Job> {
  /** Hands the job to whoever waits for one, or keeps it; false when there is no room, which an admitted job needs not. */
  offer(job: Job, admitted: boolean): boolean
  /** The next job, now or when it comes; undefined once the signal is aborted. */
  take(signal: AbortSignal): Promise<Job | undefined>
  /** Takes the job out; false when it is not in the queue. */
  remove(job: Job): boolean
  /** Takes all that wait. */
  clear(): Job[]
}

export const createJobQueue = <Job>(limit: number): JobQueue<Job> => {
  const jobs: Job[] = []
  const takers: ((job: Job) => void)[] = []

  return {
    offer: (job, admitted) => {
      const taker = takers.shift()
      if (taker !== undefined) {
        taker(job)
        return true
      }
      if (!admitted && jobs.length >= limit) return false
      jobs.push(job)
      return true
    },
    take: (signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined)
        const job = jobs.shift()
        if (job !== undefined) return resolve(job)
        const leave = () => {
          takers.splice(takers.indexOf(taker), 1)
          resolve(undefined)
        }
        const taker = (taken: Job) => {
          signal.removeEventListener('abort', leave)
          resolve(taken)
        }
        takers.push(taker)
        signal.addEventListener('abort', leave, { once: true })
      }),
    remove: (job) => {
      const index = jobs.indexOf(job)
      if (index === -1) return false
      jobs.splice(index, 1)
      return true
    },
    clear: () => jobs.splice(0),
  }
}
