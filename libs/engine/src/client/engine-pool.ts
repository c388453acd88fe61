/**
 * The processes of one engine, each of which works on one job at a time.
 *
 * - Jobs wait in one queue for the first free process.
 * - `minProcesses` always run. Others start on demand: one for each job that waits and for each caller of `keepWarm`. While more
 *   than `minProcesses` run, one that was idle for `idleMs` ends, unless a caller of `keepWarm` needs it.
 * - A process that ends fails the job that it was working on and no other. Where too few are left it is replaced at once;
 *   processes that end again and again without a job are replaced after increasing delays.
 * - While no process runs and none can be started, the jobs that wait fail at once.
 */
import { type Backoff, backoffMs, sleep } from '@parlance/async'
import { EngineUnavailableError } from '../protocol/index.js'
import { type EngineProcess, type EngineProcessOptions, openEngineProcess } from './engine-process.js'

export interface EnginePoolOptions<Hello> extends EngineProcessOptions<Hello> {
  readonly maxProcesses: number
  /** How many processes always run; others run on demand. Default: all. */
  readonly minProcesses?: number
  /** How long a process on demand may be idle. Default 60,000. */
  readonly idleMs?: number
  /** Jobs that may wait. When one more does, the last one fails. Default: no limit. */
  readonly maxWaiting?: number
  /** A process is replaced after this many jobs; jobs wait meanwhile. Default: never. */
  readonly jobsPerProcess?: number
  /**
   * A process that has more memory resident after its 100th job or a later one is replaced; jobs wait meanwhile. Default: no
   * limit.
   */
  readonly maxResidentBytes?: number
  /** The delays before a process that ended without a job is replaced, after the first such end. */
  readonly backoff?: Backoff
  /** The opening rejects when a process does not start before any other has. It always does so when none must run. */
  readonly mustStart?: boolean
  /** Called with the first hello of any process. */
  readonly onHello?: (hello: Hello) => void
  readonly onHealthChange?: () => void
  /** Called when a process ended unexpectedly. */
  readonly onReplace?: (() => void) | undefined
}

export interface PoolJob<Hello> {
  /** It waits until no other job is waiting. */
  readonly isBackground?: boolean
  /** Works in the process. Resolves when the process is free again or has ended, and never rejects. */
  run(process: EngineProcess<Hello>): Promise<void>
  /**
   * Called when the job cannot be done: with an `EnginePoolClosedError` (also while it runs), an `EnginePoolFullError`, or with
   * the reason why no process starts.
   */
  fail(cause: unknown): void
}

/** The pool is being closed. */
export class EnginePoolClosedError extends Error {
  override readonly name = 'EnginePoolClosedError'
}

/** Too many jobs are waiting. */
export class EnginePoolFullError extends Error {
  override readonly name = 'EnginePoolFullError'
}

/** A process without a job. */
interface IdleProcess<Hello> {
  /** Gives the process a job; undefined ends the process. */
  readonly resume: (job: PoolJob<Hello> | undefined) => void
  readonly process: EngineProcess<Hello>
  /** It was idle for a long time, and a caller of `keepWarm` needs it. */
  isOverdue: boolean
}

/** So a process is not replaced for each job when its model needs more memory than the limit. */
const minJobsPerProcess = 100

const closed = { cause: new EnginePoolClosedError('the engine is being closed') }

const defaultBackoff: Backoff = { firstMs: 100, maxMs: 10_000 }

export class EnginePool<Hello extends { engine: string }> {
  readonly #options: EnginePoolOptions<Hello>
  readonly #closing = new AbortController()
  readonly #running = new Set<EngineProcess<Hello>>()
  /** The process that was busy most recently is last. */
  readonly #idle: IdleProcess<Hello>[] = []
  readonly #loops = new Set<Promise<void>>()
  #waiting: PoolJob<Hello>[] = []
  readonly #inProgress = new Set<PoolJob<Hello>>()
  #starting = 0
  #keptWarm = 0
  #hello: Hello | undefined
  /** Why no process can be started; undefined while one can. */
  #failure: { readonly cause: unknown } | undefined

  constructor(options: EnginePoolOptions<Hello>) {
    this.#options = options
  }

  /**
   * Resolves with the hello of the first process that is ready, or with undefined when none could be started. When none must run,
   * this process only shows that the engine works, and ends. Rejects with an `EngineUnavailableError` when a process reports that it
   * cannot work on this machine, with the reason when it must start and does not, or with the reason of an abort. Nothing is
   * left running when it rejects.
   */
  async open(signal?: AbortSignal): Promise<Hello | undefined> {
    const minProcesses = this.#minProcesses
    if (minProcesses === 0) {
      const { hello, close } = await openEngineProcess(this.#options, this.#closing.signal)
      await close()
      return hello
    }
    await new Promise<void>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      signal?.throwIfAborted()
      let tried = 0
      for (let slot = 0; slot < minProcesses; slot++) {
        let isTried = false
        const onTried = () => {
          if (!isTried) tried += 1
          isTried = true
          if (this.#hello !== undefined || tried === minProcesses) resolve()
        }
        this.#start(onTried, reject)
      }
    }).catch(async (error: unknown) => {
      await this.close()
      throw error
    })
    return this.#hello
  }

  /** Jobs that wait or are in progress. */
  get size(): number {
    return this.#waiting.length + this.#inProgress.size
  }

  /** Processes that run. */
  get running(): number {
    return this.#running.size
  }

  get isHealthy(): boolean {
    return this.#failure === undefined
  }

  /** Adds a job, whose `fail` is called at once when it cannot be done. */
  add(job: PoolJob<Hello>): void {
    const refusal = this.#closing.signal.aborted ? closed : this.#failure
    if (refusal !== undefined) {
      job.fail(refusal.cause)
      return
    }
    if (this.addToIdle(job)) return
    const { maxWaiting = Number.POSITIVE_INFINITY } = this.#options
    const foreground = this.#waiting.filter(({ isBackground }) => isBackground !== true).length
    this.#waiting.splice(job.isBackground === true ? this.#waiting.length : foreground, 0, job)
    this.#startForWaiting()
    if (this.#waiting.length > maxWaiting)
      this.#waiting.pop()!.fail(new EnginePoolFullError('too many jobs are waiting'))
  }

  /** Adds a job if a process is idle; returns whether it did. */
  addToIdle(job: PoolJob<Hello>): boolean {
    const idle = this.#idle.at(-1)
    if (idle === undefined) return false
    this.#inProgress.add(job)
    idle.resume(job)
    return true
  }

  /** Removes a waiting job; returns false when it is not waiting. */
  remove(job: PoolJob<Hello>): boolean {
    const index = this.#waiting.indexOf(job)
    if (index !== -1) this.#waiting.splice(index, 1)
    return index !== -1
  }

  /** Keeps one more process until the returned function is called, and starts it if necessary. */
  keepWarm(): () => void {
    this.#keptWarm += 1
    if (this.#running.size + this.#starting < Math.min(this.#keptWarm, this.#options.maxProcesses)) this.#start()
    let isKept = true
    return () => {
      if (!isKept) return
      isKept = false
      this.#keptWarm -= 1
      for (const idle of [...this.#idle]) if (idle.isOverdue) this.#endSurplus(idle)
    }
  }

  /** Fails all jobs and resolves when no process runs. */
  async close(): Promise<void> {
    this.#closing.abort()
    for (const job of [...this.#waiting.splice(0), ...this.#inProgress]) job.fail(closed.cause)
    await Promise.all([...this.#running].map((process) => process.close()))
    await Promise.all(this.#loops)
  }

  get #minProcesses(): number {
    return this.#options.minProcesses ?? this.#options.maxProcesses
  }

  /** Whether fewer processes run than must. */
  get #isShort(): boolean {
    return this.#running.size + this.#starting < this.#minProcesses
  }

  #start(onTried?: () => void, onUnavailable?: (error: unknown) => void): void {
    const loop = this.#run(onTried, onUnavailable).finally(() => this.#loops.delete(loop))
    this.#loops.add(loop)
  }

  #startForWaiting(): void {
    if (this.#closing.signal.aborted) return
    const hasRoom = () => this.#running.size + this.#starting < this.#options.maxProcesses
    while (this.#starting < this.#waiting.length && hasRoom()) this.#start()
  }

  /** Runs a process, and replaces it for as long as there would be too few without it. */
  async #run(onTried = () => {}, onUnavailable = (_error: unknown) => {}): Promise<void> {
    const { mustStart, onReplace, logger, backoff = defaultBackoff } = this.#options
    const closing = this.#closing.signal
    for (let failures = 1; !closing.aborted; failures++) {
      this.#starting += 1
      try {
        const process = await openEngineProcess(this.#options, closing).finally(() => {
          this.#starting -= 1
        })
        this.#onStarted(process)
        onTried()
        const { jobs, isSpent } = await this.#serve(process)
        if (jobs > 0) failures = 0
        this.#running.delete(process)
        if (!closing.aborted && !isSpent && process.gone.aborted) onReplace?.()
        await process.close()
      } catch (error) {
        if (closing.aborted) return
        const isFatal = mustStart === true || error instanceof EngineUnavailableError
        if (this.#minProcesses > 0 && isFatal && this.#hello === undefined) return onUnavailable(error)
        logger.error({ err: error, attempt: failures }, 'An engine process could not be started')
        if (this.#running.size === 0) this.#onNoneStarts(error)
        if (!this.#isShort) return
        onTried()
      }
      if (failures > 1) await sleep(backoffMs(backoff, failures - 1), closing).catch(() => {})
      if (!this.#isShort) return this.#startForWaiting()
    }
  }

  #onStarted(process: EngineProcess<Hello>): void {
    this.#running.add(process)
    process.gone.addEventListener('abort', () => this.#running.delete(process), { once: true })
    if (this.#hello === undefined) {
      this.#hello = process.hello
      this.#options.onHello?.(process.hello)
    }
    if (this.#failure === undefined) return
    this.#failure = undefined
    this.#options.onHealthChange?.()
  }

  #onNoneStarts(cause: unknown): void {
    const wasHealthy = this.isHealthy
    // On demand the next job starts a process, which may succeed.
    if (this.#minProcesses > 0) this.#failure = { cause }
    if (wasHealthy && !this.isHealthy) this.#options.onHealthChange?.()
    for (const job of this.#waiting.splice(0)) job.fail(cause)
  }

  /** Gives jobs to one process until it reaches a limit, it ends or the pool is closed. */
  async #serve(process: EngineProcess<Hello>): Promise<{ jobs: number; isSpent: boolean }> {
    const { jobsPerProcess = Number.POSITIVE_INFINITY, maxResidentBytes = Number.POSITIVE_INFINITY } = this.#options
    for (let jobs = 1; ; jobs++) {
      const job = await this.#nextJob(process)
      if (job === undefined) return { jobs: jobs - 1, isSpent: false }
      await job.run(process)
      this.#inProgress.delete(job)
      if (process.gone.aborted || this.#closing.signal.aborted) return { jobs, isSpent: false }
      const isTooLarge = jobs >= minJobsPerProcess && (process.residentBytes() ?? 0) > maxResidentBytes
      if (jobs >= jobsPerProcess || isTooLarge) return { jobs, isSpent: true }
    }
  }

  /** Resolves with undefined when the process is to end or has ended. */
  #nextJob(process: EngineProcess<Hello>): Promise<PoolJob<Hello> | undefined> {
    return new Promise((resolve) => {
      const over = AbortSignal.any([process.gone, this.#closing.signal])
      if (over.aborted) return resolve(undefined)
      const next = this.#waiting.shift()
      if (next !== undefined) {
        this.#inProgress.add(next)
        return resolve(next)
      }
      const { maxProcesses, idleMs = 60_000 } = this.#options
      const idle: IdleProcess<Hello> = {
        process,
        isOverdue: false,
        resume: (job) => {
          clearTimeout(timer)
          over.removeEventListener('abort', leave)
          this.#idle.splice(this.#idle.indexOf(idle), 1)
          resolve(job)
        },
      }
      const leave = () => idle.resume(undefined)
      const expire = () => {
        idle.isOverdue = true
        this.#endSurplus(idle)
      }
      const timer = this.#minProcesses < maxProcesses ? setTimeout(expire, idleMs).unref() : undefined
      over.addEventListener('abort', leave, { once: true })
      this.#idle.push(idle)
    })
  }

  /** Ends an idle process that no caller of `keepWarm` needs. */
  #endSurplus({ process, resume }: IdleProcess<Hello>): void {
    const needed = Math.max(this.#minProcesses, Math.min(this.#keptWarm, this.#options.maxProcesses))
    if (this.#running.size <= needed) return
    this.#running.delete(process)
    resume(undefined)
  }
}
