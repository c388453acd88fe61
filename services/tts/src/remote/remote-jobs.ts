/**
 * The utterances of a speech server: each waits for one of its permits and is then requested, more than once if need be.
 *
 * - An utterance is requested again only if no audio of it was received.
 * - An utterance fails at once while the server is known not to be healthy.
 */
import { createSemaphore, retry } from '@parlance/async'
import { ServiceError } from '@parlance/contracts'
import type { SpeakOptions } from '../engine/engine.js'
import type { RemoteEngineSettings } from './remote-config.js'
import { type createFailureLog, serviceErrorOf, toRemoteFailure } from './remote-failure.js'
import type { ServerHealth } from './server-health.js'
import { attemptSpeech, type RemoteSpeech } from './speech-attempt.js'
import type { SpeechServer } from './speech-server.js'

export interface RemoteJob extends RemoteSpeech {
  readonly onStart: SpeakOptions['onStart']
  readonly onEnd: SpeakOptions['onEnd']
}

interface RemoteJobsOptions {
  readonly server: SpeechServer
  readonly settings: RemoteEngineSettings
  readonly sampleRateHz: number
  readonly health: ServerHealth
  readonly logFailure: ReturnType<typeof createFailureLog>
}

const retryPolicy = { maxAttempts: 3, backoff: { firstMs: 100, maxMs: 1000 } }

export const notHealthy = () =>
  new ServiceError('upstream_error', 'The speech engine is not available now. Try again later.')

export class RemoteJobs {
  readonly #options: RemoteJobsOptions
  readonly #permits
  readonly #jobs = new Set<RemoteJob>()

  constructor(options: RemoteJobsOptions) {
    this.#options = options
    this.#permits = createSemaphore(options.settings.concurrency)
  }

  /** Jobs that wait or are spoken. */
  get size(): number {
    return this.#jobs.size
  }

  /** Begins a job; its events end, or fail, when it is over. */
  start(job: RemoteJob): void {
    this.#jobs.add(job)
    void this.#run(job)
  }

  /** Whether a job waits or is spoken. */
  has(job: RemoteJob): boolean {
    return this.#jobs.has(job)
  }

  /** Fails what was not read of a job, and cancels its request. */
  drop(job: RemoteJob, reason: unknown): void {
    job.events.fail(reason)
    job.unwanted.abort(reason)
  }

  dropAll(reason: unknown): void {
    for (const job of this.#jobs) this.drop(job, reason)
  }

  /** Waits for a permit and speaks a job; never rejects. */
  async #run(job: RemoteJob): Promise<void> {
    const { health, logFailure } = this.#options
    const { events, unwanted, onStart, onEnd } = job
    let release = () => {}
    try {
      release = await this.#permits.acquire(unwanted.signal)
      if (!health.healthy()) throw notHealthy()
      const startedMs = performance.now()
      onStart?.()
      await this.#speak(job).finally(() => onEnd?.({ audioMs: job.audioMs, engineMs: performance.now() - startedMs }))
      health.succeeded()
      events.end()
    } catch (error) {
      if (unwanted.signal.aborted) return
      if (error instanceof ServiceError) return events.fail(error)
      const failure = toRemoteFailure(error)
      logFailure(failure, 'An utterance failed')
      if (failure.countsAgainstServer) health.failed()
      events.fail(serviceErrorOf(failure))
    } finally {
      this.#jobs.delete(job)
      release()
    }
  }

  #speak(job: RemoteJob): Promise<void> {
    const { server, settings, sampleRateHz } = this.#options
    const deadlineMs = performance.now() + settings.timeouts.first_audio_ms
    return retry(() => attemptSpeech(job, deadlineMs - performance.now(), { server, settings, sampleRateHz }), {
      ...retryPolicy,
      deadlineMs,
      signal: job.unwanted.signal,
      shouldRetry: (error) => job.audioMs === 0 && toRemoteFailure(error).mayTryAgain,
      retryAfterMs: (error) => toRemoteFailure(error).retryAfterMs,
    })
  }
}
