/**
 * How long to search for a worker that can speak a request.
 *
 * - A request that a full queue refuses is sent to one more worker. A request that was queued for too long is not. Replies and
 *   continuations are tried until the deadline.
 * - No worker answers while all queues are full or no worker is running. The search then ends soon, with a little time for a
 *   worker that is about to have room.
 * - When a second worker is lost during the request no other is tried, since the request may be the cause.
 * - An engine's failure is final: its worker has asked the engine again where that could help.
 */
import { jitteredMs, sleep } from '@parlance/async'
import { missingReplyOf } from '@parlance/bus'
import { ServiceError, type SpeechPurpose } from '@parlance/contracts'

const firstWaitMs = 10
const maxWaitMs = 60
const maxLosses = 1
const maxRefusals = 2
/** A full queue refuses at once; a later refusal means that the request has waited for the maximum time. */
const atOnceMs = 500
const withoutWorkersMs = 500

interface WorkerSearchOptions {
  readonly purpose: SpeechPurpose
  readonly deadlineMs: number
}

export class WorkerSearch {
  readonly #deadlineMs: number
  readonly #startedAtMs = performance.now()
  #purpose: SpeechPurpose
  #expiresAtMs: number
  #losses = 0
  #refusals = 0
  #waitMs = firstWaitMs
  #absentSinceMs: number | undefined
  /** Why the speech must be continued. */
  #loss: unknown

  constructor({ purpose, deadlineMs }: WorkerSearchOptions) {
    this.#purpose = purpose
    this.#deadlineMs = deadlineMs
    this.#expiresAtMs = this.#startedAtMs + deadlineMs
  }

  get purpose(): SpeechPurpose {
    return this.#purpose
  }

  /** Workers that were lost during the request. */
  get losses(): number {
    return this.#losses
  }

  /** The time left until the caller's deadline, at least 1 ms. */
  get leftMs(): number {
    return Math.max(1, Math.round(this.#expiresAtMs - performance.now()))
  }

  /** The duration of the search for the first worker, in whole ms. */
  get waitedMs(): number {
    return Math.round(performance.now() - this.#startedAtMs)
  }

  /** Starts a search for a worker that continues a speech lost with this error. The caller's full time applies again. */
  continueAfter(loss: unknown): void {
    this.#loss = loss
    this.#purpose = 'continuation'
    this.#expiresAtMs = performance.now() + this.#deadlineMs
  }

  /** Waits until the next attempt is due. Throws when there is no next attempt: the error, or the loss that was to be continued. */
  async retryAfter(error: unknown, signal: AbortSignal): Promise<void> {
    const nowMs = performance.now()
    const wasRefused = isAbsence(error) || isRefusal(error)
    const endsAtMs = this.#retriesUntilMs(error, nowMs)
    // Callers that were refused together do not retry together.
    const waitMs = jitteredMs(wasRefused ? this.#waitMs : firstWaitMs)
    if (wasRefused) this.#waitMs = Math.min(2 * this.#waitMs, maxWaitMs)
    if (nowMs + waitMs > endsAtMs) throw this.#loss ?? (isAbsence(error) ? noWorker() : error)
    await sleep(waitMs, signal)
  }

  #retriesUntilMs(error: unknown, nowMs: number): number {
    const triesUntilDeadline = this.#purpose === 'reply' || this.#purpose === 'continuation'
    if (isAbsence(error)) {
      this.#absentSinceMs ??= nowMs
      return triesUntilDeadline
        ? this.#expiresAtMs
        : Math.min(this.#absentSinceMs + withoutWorkersMs, this.#expiresAtMs)
    }
    this.#absentSinceMs = undefined
    if (isRefusal(error)) {
      this.#refusals += 1
      if (triesUntilDeadline) return this.#expiresAtMs
      return this.#refusals < maxRefusals ? Math.min(this.#startedAtMs + atOnceMs, this.#expiresAtMs) : nowMs
    }
    if (missingReplyOf(error) === 'no-reply') return this.#expiresAtMs
    if (!isLoss(error) || this.#losses === maxLosses) throw this.#loss ?? error
    this.#losses += 1
    return this.#expiresAtMs
  }
}

/** Whether the worker was lost in the middle of its response, or stopped: another may continue. */
export const isLostAnswer = (error: unknown): boolean =>
  isLoss(error) || (error instanceof ServiceError && error.code === 'draining')

/** No worker is running, or the last one is stopping. */
const isAbsence = (error: unknown): boolean =>
  missingReplyOf(error) === 'no-responders' || (error instanceof ServiceError && error.code === 'draining')

/** A worker has no capacity. When the server of an engine has none, its worker has already retried. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'capacity_exhausted' && !error.isUpstream

/** The worker, or part of its answer, was lost. The failure of an engine is not a loss: its worker answers `upstream_error`. */
const isLoss = (error: unknown): boolean =>
  missingReplyOf(error) === 'incomplete' || (error instanceof ServiceError && error.code === 'unavailable')

const noWorker = () => new ServiceError('capacity_exhausted', 'No speech engine is available now. Try again shortly.')
