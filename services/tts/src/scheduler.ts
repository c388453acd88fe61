/**
 * Hands the engines to the segments of the requests that are being served.
 *
 * - A request is admitted when it can be expected to begin in the time it may wait. While the queue is standing
 *   (`controlled-delay.ts`) a stream and a text in one request may wait only a moment.
 * - An admitted request that has not begun when its time is up is refused then. A request that has begun is served to its
 *   end.
 * - A free engine goes to the replies of conversations first. Among the others it goes to the workspace that has the
 *   fewest engines and within it to the request that has the fewest; among equals to the one that has been without for
 *   longest. So each segment of a long text queues again.
 * - While two workspaces are served one engine is kept from each (`engine-reserve.ts`).
 * - Requests are admitted while there are slots for them (`admitted-requests.ts`).
 */
import { draining, ServiceError } from '@parlance/contracts'
import { AdmittedRequests } from './admitted-requests.js'
import { controlledDelay, initialControlledDelay, isStanding } from './controlled-delay.js'
import { createEngineReserve } from './engine-reserve.js'
import { waitForEngine } from './engine-wait.js'
import type { Claimant } from './fair-order.js'
import type { ScheduledRequest, ScheduledWorkspace } from './scheduled-request.js'
import { createServiceTime } from './service-time.js'
import { acceptableWaitMs, longestWaitMs, type Waiting } from './waiting-time.js'

export interface SchedulerOptions {
  /** How many segments are spoken at the same time. */
  readonly engines: number
  /** How many requests may wait. */
  readonly queueLimit: number
  /** Called after each change of what the scheduler reports of itself. */
  readonly onChange?: () => void
  /** Called for each admitted request that is refused because its time is up. */
  readonly onTimeout?: () => void
  /** In ms. */
  readonly now?: () => number
}

export interface AdmittedRequest {
  /**
   * Waits for an engine for one segment. Resolves with a function that releases the engine. Only its first call has an effect.
   * Rejects with the signal's reason, or for the first segment with `capacity_exhausted` when the request's time is up.
   */
  engine(signal: AbortSignal): Promise<() => void>
  /** Asks for nothing more. */
  leave(): void
}

export class Scheduler {
  readonly #engines: number
  readonly #onChange: () => void
  readonly #onTimeout: () => void
  readonly #now: () => number
  readonly #requests: AdmittedRequests
  readonly #serviceTime = createServiceTime()
  readonly #reserve
  #delay = initialControlledDelay
  #running = 0
  #waiting = 0
  #grants = 0
  #isDraining = false

  constructor({
    engines,
    queueLimit,
    onChange = () => {},
    onTimeout = () => {},
    now = () => performance.now(),
  }: SchedulerOptions) {
    this.#engines = engines
    this.#onChange = onChange
    this.#onTimeout = onTimeout
    this.#now = now
    this.#reserve = createEngineReserve(engines)
    this.#requests = new AdmittedRequests({
      engines,
      queueLimit,
      enginesOf: (workspace) => this.#enginesOf(workspace),
    })
  }

  /** Throws `capacity_exhausted` with the time to wait, or `draining` after `drain`. */
  admit(workspaceId: string, waiting: Waiting): AdmittedRequest {
    if (this.#isDraining) throw draining()
    const nowMs = this.#now()
    const workspace = this.#requests.workspace(workspaceId, this.#newClaimant())
    const isReply = waiting.purpose === 'reply'
    const segmentMs = this.#serviceTime.estimateMs()
    const load = { isOverloaded: isStanding(this.#delay, nowMs), segmentMs }
    const expectedWaitMs = this.#expectedWaitMs(workspace, isReply)
    if (this.#requests.isFull(workspace) || expectedWaitMs > acceptableWaitMs(waiting, load)) {
      throw this.#exhausted(workspace, isReply)
    }
    const request: ScheduledRequest = {
      ...this.#newClaimant(),
      workspace,
      isReply,
      waiting: new Set(),
      expiresAtMs: nowMs + longestWaitMs(waiting, segmentMs),
      arriving: true,
      begun: false,
      left: false,
      hasSlot: false,
      isQueued: false,
    }
    this.#requests.add(request)
    this.#onChange()
    return {
      engine: (signal) => this.#engine(request, signal),
      leave: () => this.#leave(request),
    }
  }

  /** From now on nothing is admitted. */
  drain(): void {
    this.#isDraining = true
    this.#onChange()
  }

  /** Whether a request would begin soon, in the order of the time that one segment takes. */
  hasRoom(): boolean {
    return !this.#isDraining && this.#requests.hasRoom
  }

  /** Segments that are spoken now. */
  running(): number {
    return this.#running
  }

  /** Segments that wait for an engine. */
  waiting(): number {
    return this.#waiting
  }

  /** A new claimant ranks behind claimants that already wait and ahead of those served last. */
  #newClaimant(): Claimant {
    return { running: 0, grantedAt: this.#grants - 1 }
  }

  #enginesOf({ id }: ScheduledWorkspace): number {
    return this.#reserve.enginesFor(id, this.#now())
  }

  #expectedWaitMs(workspace: ScheduledWorkspace, isReply: boolean): number {
    const available = isReply ? this.#engines : this.#enginesOf(workspace)
    const free = Math.min(this.#engines - this.#running, available - workspace.running)
    const ahead = this.#requests.aheadOf(workspace, isReply) - Math.max(0, free)
    return ahead < 0 ? 0 : ((ahead + 1) * this.#serviceTime.estimateMs()) / this.#engines
  }

  #exhausted(workspace: ScheduledWorkspace, isReply: boolean): ServiceError {
    return new ServiceError('capacity_exhausted', 'All speech engines are busy. Try again.', {
      retryAfterSeconds: Math.max(1, Math.ceil(this.#expectedWaitMs(workspace, isReply) / 1_000)),
    })
  }

  #engine(request: ScheduledRequest, signal: AbortSignal): Promise<() => void> {
    return waitForEngine({
      request,
      signal,
      expiresInMs: request.expiresAtMs - this.#now(),
      onWaiting: () => {
        this.#waiting += 1
        this.#update(request)
      },
      onGivenUp: () => {
        this.#waiting -= 1
        this.#update(request)
      },
      onExpired: () => {
        this.#onTimeout()
        return this.#exhausted(request.workspace, request.isReply)
      },
      onGranted: () => this.#releaseOf(request),
    })
  }

  #grant(request: ScheduledRequest): void {
    const { workspace } = request
    const [start] = request.waiting
    if (start === undefined) return
    request.waiting.delete(start)
    this.#waiting -= 1
    this.#running += 1
    this.#grants += 1
    for (const claimant of [request, workspace]) {
      claimant.running += 1
      claimant.grantedAt = this.#grants
    }
    this.#reserve.granted(workspace.id, this.#now())
    request.begun = true
    this.#requests.update(request)
    start()
  }

  /** Returns the function that releases the granted engine. */
  #releaseOf(request: ScheduledRequest): () => void {
    const grantedAtMs = this.#now()
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.#serviceTime.add(this.#now() - grantedAtMs)
      this.#running -= 1
      request.running -= 1
      request.workspace.running -= 1
      this.#update(request)
    }
  }

  #leave(request: ScheduledRequest): void {
    if (request.left) return
    request.arriving = false
    request.left = true
    this.#requests.update(request)
    this.#onChange()
  }

  /** The request wants something else than before: gives the free engines to the requests that come next. */
  #update(request: ScheduledRequest): void {
    this.#requests.update(request)
    while (this.#running < this.#engines) {
      const next = this.#requests.next()
      if (next === undefined) break
      this.#grant(next)
    }
    this.#delay = controlledDelay(this.#delay, this.#requests.isQueueing ? 'queued' : 'emptied', this.#now())
    this.#onChange()
  }
}
