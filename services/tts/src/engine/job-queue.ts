/** A queue of jobs in their order, with several consumers. */
export interface JobQueue<Job> {
  /** Passes the job to the consumer that has waited longest, or queues it. */
  offer(job: Job): void
  /** Resolves with the next job, now or when it comes; with undefined when the signal is aborted. */
  take(signal: AbortSignal): Promise<Job | undefined>
  /** Removes the job; returns false when it is not in the queue. */
  remove(job: Job): boolean
  /** Removes and returns all jobs. */
  clear(): Job[]
}

export const createJobQueue = <Job>(): JobQueue<Job> => {
  const jobs: Job[] = []
  const takers: ((job: Job) => void)[] = []

  return {
    offer: (job) => {
      const taker = takers.shift()
      if (taker === undefined) jobs.push(job)
      else taker(job)
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
