/**
 * Child processes, each of which speaks one job at a time.
 *
 * - Jobs wait in one queue for the first free process. A process is free when it has produced its audio, whether or not the
 *   audio was read.
 * - A process that ends fails the job that it was speaking and no other, and is replaced at once. Processes that end again and
 *   again without having spoken are replaced after increasing delays.
 * - A job whose process was killed before it made anything is given to another process, once.
 * - While no process runs and none can be started, the pool is not healthy and its jobs fail at once.
 */
import { backoffMs, createQueue, sleep } from '@parlance/async'
import { draining, ServiceError } from '@parlance/contracts'
import { EngineUnavailableError } from '@parlance/engine/client'
import type { Hello } from '@parlance/engine/protocol'
import { openSpeakingProcess, type SpeakingProcess, type SpeakingProcessOptions } from './speaking-process.js'
import { type SpeechJob, speakJob } from './speech-job.js'

export interface ProcessPoolOptions extends SpeakingProcessOptions {
  readonly processes: number
  /** A process is replaced after this many jobs. */
  readonly jobsPerProcess: number
  /** The opening rejects when a process does not start before any other has. */
  readonly mustStart: boolean
  /** Called with the first hello of any process. */
  readonly onHello: (hello: Hello) => void
  readonly onHealthChange: () => void
  /** Called when a process ended unexpectedly and is replaced. */
  readonly onReplace: (() => void) | undefined
}

/** The delays before a process is replaced that ended without having spoken, after the first such end. */
const replacementBackoff = { firstMs: 100, maxMs: 10_000 }

/** Created once, since an abort without a reason creates an error with its stack. */
const notWanted = new Error('The utterance is no longer wanted.')
const doesNotStart = () => new ServiceError('upstream_error', 'The speech engine does not start. Try again later.')

/** The delay before a process is replaced that is the `failures`th in a row without having spoken. The first has none. */
const replacementDelayMs = (failures: number): number =>
  failures < 2 ? 0 : backoffMs(replacementBackoff, failures - 1)

export class ProcessPool {
  readonly #options: ProcessPoolOptions
  readonly #queue = createQueue<SpeechJob>()
  readonly #jobs = new Set<SpeechJob>()
  readonly #repeated = new WeakSet<SpeechJob>()
  readonly #closing = new AbortController()
  #slots: Promise<void>[] = []
  #running = 0
  #isHealthy = true
  #hasHello = false

  constructor(options: ProcessPoolOptions) {
    this.#options = options
  }

  /**
   * Starts the processes. Resolves when the first is ready, or when none could be started. Rejects with an
   * `EngineUnavailableError` when a process reports that it cannot work on this machine, with `mustStart` when it does not start,
   * or with the reason of an abort. Nothing is left running when it rejects.
   */
  async open(signal: AbortSignal | undefined): Promise<void> {
    const { processes } = this.#options
    await new Promise<void>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      signal?.throwIfAborted()
      const tried = new Set<number>()
      const onTried = (slot: number) => {
        tried.add(slot)
        if (this.#hasHello || tried.size === processes) resolve()
      }
      this.#slots = Array.from({ length: processes }, (_, slot) => this.#keepRunning(() => onTried(slot), reject))
    }).catch(async (error: unknown) => {
      await this.close()
      throw error
    })
  }

  /** Jobs that wait or are spoken. */
  get size(): number {
    return this.#jobs.size
  }

  get isHealthy(): boolean {
    return this.#isHealthy
  }

  /** Adds a job to the queue. Throws `draining` once the pool is being closed, `upstream_error` while it is not healthy. */
  add(job: SpeechJob): void {
    if (this.#closing.signal.aborted) throw draining()
    if (!this.#isHealthy) throw doesNotStart()
    this.#queue.push(job)
    this.#jobs.add(job)
  }

  /** Fails what was not read of a job, and stops it. */
  drop(job: SpeechJob, error: unknown): void {
    job.events.fail(error)
    job.unwanted.abort(notWanted)
    if (this.#queue.remove(job)) this.#jobs.delete(job)
  }

  /** Fails all jobs and resolves when no process runs. */
  async close(): Promise<void> {
    this.#closing.abort()
    for (const job of this.#jobs) this.drop(job, draining())
    await Promise.all(this.#slots)
  }

  /** Keeps one process running until the pool is closed. */
  async #keepRunning(onTried: () => void, onUnavailable: (error: unknown) => void): Promise<void> {
    const { jobsPerProcess, mustStart, onReplace, logger } = this.#options
    const closing = this.#closing.signal
    for (let failures = 1; !closing.aborted; failures++) {
      try {
        const process = await openSpeakingProcess(this.#options, closing)
        this.#started(process.hello)
        onTried()
        const served = await this.#serve(process)
        if (served > 0) failures = 0
        this.#running--
        await process.close()
        if (!closing.aborted && served < jobsPerProcess) onReplace?.()
      } catch (error) {
        if (closing.aborted) return
        if ((mustStart || error instanceof EngineUnavailableError) && !this.#hasHello) return onUnavailable(error)
        logger.error({ err: error, attempt: failures }, 'An engine process could not be started')
        if (this.#running === 0) this.#doesNotStart()
        onTried()
      }
      await sleep(replacementDelayMs(failures), closing).catch(() => {})
    }
  }

  #started(hello: Hello): void {
    this.#running++
    if (!this.#hasHello) {
      this.#hasHello = true
      this.#options.onHello(hello)
    }
    this.#setHealthy(true)
  }

  #doesNotStart(): void {
    this.#setHealthy(false)
    for (const job of this.#jobs) this.drop(job, doesNotStart())
  }

  #setHealthy(isHealthy: boolean): void {
    if (isHealthy === this.#isHealthy) return
    this.#isHealthy = isHealthy
    this.#options.onHealthChange()
  }

  /** Gives jobs to one process until its limit, its end or the pool's; resolves with their number. */
  async #serve(process: SpeakingProcess): Promise<number> {
    const { jobsPerProcess, logger } = this.#options
    const over = AbortSignal.any([process.gone, this.#closing.signal])
    let served = 0
    while (served < jobsPerProcess) {
      const job = await this.#queue.take(over)
      if (job === undefined) break
      served += 1
      const isRepeated = this.#repeated.has(job)
      const isWanted = !job.unwanted.signal.aborted
      if (isWanted && (await speakJob(process, job, { logger, isRepeated })) === 'repeat') {
        this.#repeated.add(job)
        this.#queue.push(job)
        break
      }
      this.#jobs.delete(job)
    }
    return served
  }
}
