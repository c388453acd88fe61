/**
 * The queue of an engine: an order, a deadline and a length.
 *
 * - Order: each segment of a text waits for a free engine. Replies of conversations come first, then the listener whose audio
 *   runs out first. Of those who have none, the workspace with the fewest engines comes first and within it the request with
 *   the fewest; among equals the one that has been without for longest.
 * - Deadline: a request that has not begun when its time is up is refused then. A request that has begun is served to its end.
 * - Length: a full queue refuses further requests at once. While one workspace has more than half of it, the requests of
 *   others take the places of its newest ones, which are refused.
 */
import { draining, ServiceError, type SpeechPurpose } from '@parlance/contracts'

export interface SchedulerOptions {
  /** How many segments are spoken at the same time. */
  readonly engines: number
  /** How many requests may wait. */
  readonly queueLimit: number
  /** Called after each change of what the methods report. */
  readonly onChange?: () => void
  /** Called for each admitted request that is refused: its time is up, or another workspace took its place. */
  readonly onRefusal?: () => void
  /** In ms. */
  readonly now?: () => number
}

export interface WaitingRequest {
  readonly workspaceId: string
  readonly purpose: SpeechPurpose
  /** The time left until the caller's deadline, in ms. */
  readonly deadlineMs: number
  /** Audio that the listener has in hand, in ms. Default 0. */
  readonly aheadMs?: number | undefined
}

export interface AdmittedRequest {
  /**
   * Waits for an engine for one segment. Resolves with a function that releases the engine. Only its first call has an effect.
   * Rejects with the signal's reason, or for the first segment with `capacity_exhausted` when the request is refused.
   */
  engine(signal: AbortSignal): Promise<() => void>
  /** This much more audio was made for the listener, in ms. */
  made(audioMs: number): void
  /** The request needs no more engines. Only the first call has an effect. */
  leave(): void
}

/** How long a request may wait to begin. The others wait until their caller's deadline. */
const maxWaitMs: Partial<Record<SpeechPurpose, number>> = { stream: 2_000, one_shot: 8_000 }
/** A listener with less audio in hand may run out of it while a segment is spoken, and counts as having none. */
const minAheadMs = 500

/** A request or a workspace, which take turns at receiving engines. */
interface Claimant {
  /** Engines that it has. */
  running: number
  /** The number of the grant by which it last received an engine. */
  grantedAt: number
}

interface Workspace extends Claimant {
  readonly id: string
  /** Requests that are not over. */
  requests: number
  /** Those of them that have not begun, the oldest first. */
  readonly queued: Set<Request>
}

interface Request extends Claimant {
  readonly workspace: Workspace
  readonly isReply: boolean
  readonly admittedAtMs: number
  readonly expiresAtMs: number
  /** When the listener will have played all audio that was made. */
  playedAtMs: number
  isRefused: boolean
  isOver: boolean
  /** Its segments that wait. */
  readonly waiting: Set<WaitingSegment>
}

interface WaitingSegment {
  start(): void
  refuse(): void
}

const aheadMs = ({ playedAtMs }: Request, nowMs: number): number => {
  const ahead = playedAtMs - nowMs
  return ahead < minAheadMs ? 0 : ahead
}

const compare = (one: Request, other: Request, nowMs: number): number =>
  Number(other.isReply) - Number(one.isReply) ||
  aheadMs(one, nowMs) - aheadMs(other, nowMs) ||
  one.workspace.running - other.workspace.running ||
  one.workspace.grantedAt - other.workspace.grantedAt ||
  one.running - other.running ||
  one.grantedAt - other.grantedAt

export class Scheduler {
  readonly #engines: number
  readonly #queueLimit: number
  readonly #onChange: () => void
  readonly #onRefusal: () => void
  readonly #now: () => number
  readonly #workspaces = new Map<string, Workspace>()
  /** The requests of which a segment waits. */
  readonly #requests = new Set<Request>()
  /** Requests that have not begun. */
  #queued = 0
  #running = 0
  #waiting = 0
  #grants = 0
  /** How long the latest request to begin had waited. */
  #lastWaitMs = 0
  #isDraining = false

  constructor({
    engines,
    queueLimit,
    onChange = () => {},
    onRefusal = () => {},
    now = () => performance.now(),
  }: SchedulerOptions) {
    this.#engines = engines
    this.#queueLimit = queueLimit
    this.#onChange = onChange
    this.#onRefusal = onRefusal
    this.#now = now
  }

  /** Throws `capacity_exhausted` with the time to wait when the queue is full, or `draining` after `drain`. */
  admit({ workspaceId, purpose, deadlineMs, aheadMs = 0 }: WaitingRequest): AdmittedRequest {
    if (this.#isDraining) throw draining()
    const nowMs = this.#now()
    // A new claimant ranks behind those that already wait and ahead of those served last.
    const claimant = { running: 0, grantedAt: this.#grants - 1 }
    const workspace = this.#workspaces.get(workspaceId) ?? {
      ...claimant,
      id: workspaceId,
      requests: 0,
      queued: new Set(),
    }
    if (this.#isAtLimit()) this.#makePlace(workspace)
    const request: Request = {
      ...claimant,
      workspace,
      isReply: purpose === 'reply',
      admittedAtMs: nowMs,
      expiresAtMs: nowMs + Math.min(deadlineMs, maxWaitMs[purpose] ?? deadlineMs),
      playedAtMs: nowMs + aheadMs,
      isRefused: false,
      isOver: false,
      waiting: new Set(),
    }
    this.#workspaces.set(workspaceId, workspace)
    workspace.requests += 1
    workspace.queued.add(request)
    this.#queued += 1
    this.#onChange()
    return {
      engine: (signal) => this.#engine(request, signal),
      made: (audioMs) => {
        request.playedAtMs = Math.max(request.playedAtMs, this.#now()) + audioMs
      },
      leave: () => this.#leave(request),
    }
  }

  /** From now on nothing is admitted. */
  drain(): void {
    this.#isDraining = true
    this.#onChange()
  }

  /** Whether a workspace without requests would be refused. */
  isFull(): boolean {
    return this.#isDraining || (this.#isAtLimit() && this.#crowdingWorkspace(0) === undefined)
  }

  /** Whether a request would begin soon, in the order of the time that one segment takes. */
  hasRoom(): boolean {
    return !this.#isDraining && !this.#isAtLimit() && this.#queued - this.#free < this.#engines
  }

  /** Segments that are spoken now. */
  running(): number {
    return this.#running
  }

  /** Segments that wait for an engine. */
  waiting(): number {
    return this.#waiting
  }

  get #free(): number {
    return this.#engines - this.#running
  }

  #isAtLimit(): boolean {
    return this.#queued - this.#free >= this.#queueLimit
  }

  /** The workspace that has more than half of the queue, and still has more than another one after giving that one a place. */
  #crowdingWorkspace(othersQueued: number): Workspace | undefined {
    for (const workspace of this.#workspaces.values()) {
      const { size } = workspace.queued
      if (size - this.#free > this.#queueLimit / 2 && size > othersQueued + 1) return workspace
    }
    return undefined
  }

  /** Refuses the newest request of the workspace that has more than half of the queue. Throws when none has, or this one. */
  #makePlace(workspace: Workspace): void {
    const crowding = this.#crowdingWorkspace(workspace.queued.size)
    if (crowding === undefined) throw this.#exhausted()
    const newest = [...crowding.queued].at(-1)!
    newest.isRefused = true
    this.#unqueue(newest)
    for (const segment of newest.waiting) segment.refuse()
    this.#onRefusal()
  }

  #exhausted(): ServiceError {
    return new ServiceError('capacity_exhausted', 'All speech engines are busy. Try again.', {
      retryAfterSeconds: Math.max(1, Math.ceil(this.#lastWaitMs / 1_000)),
    })
  }

  #engine(request: Request, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      if (request.isRefused) return reject(this.#exhausted())
      const { queued } = request.workspace
      let timer: NodeJS.Timeout | undefined
      const stopWaiting = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        request.waiting.delete(segment)
        if (request.waiting.size === 0) this.#requests.delete(request)
        this.#waiting -= 1
      }
      const giveUp = (reason: unknown) => {
        stopWaiting()
        reject(reason)
        this.#onChange()
      }
      const onAbort = () => giveUp(signal.reason)
      const segment = {
        start: () => {
          stopWaiting()
          resolve(this.#grant(request))
        },
        refuse: () => giveUp(this.#exhausted()),
      }
      const onExpiry = () => {
        if (!queued.has(request)) return
        this.#onRefusal()
        segment.refuse()
      }
      signal.addEventListener('abort', onAbort, { once: true })
      request.waiting.add(segment)
      this.#requests.add(request)
      this.#waiting += 1
      if (queued.has(request)) timer = setTimeout(onExpiry, Math.max(0, request.expiresAtMs - this.#now())).unref()
      this.#grantFreeEngines()
    })
  }

  #grantFreeEngines(): void {
    while (this.#running < this.#engines && this.#requests.size > 0) {
      const nowMs = this.#now()
      let next: Request | undefined
      for (const request of this.#requests) {
        if (next === undefined || compare(request, next, nowMs) < 0) next = request
      }
      const [segment] = next!.waiting
      segment!.start()
    }
    this.#onChange()
  }

  /** Returns the function that releases the engine. */
  #grant(request: Request): () => void {
    const { workspace } = request
    this.#running += 1
    this.#grants += 1
    for (const claimant of [request, workspace]) {
      claimant.running += 1
      claimant.grantedAt = this.#grants
    }
    if (this.#unqueue(request)) this.#lastWaitMs = this.#now() - request.admittedAtMs
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.#running -= 1
      request.running -= 1
      workspace.running -= 1
      this.#forgetIfIdle(workspace)
      this.#grantFreeEngines()
    }
  }

  /** Returns whether the request was queued. */
  #unqueue(request: Request): boolean {
    const wasQueued = request.workspace.queued.delete(request)
    if (wasQueued) this.#queued -= 1
    return wasQueued
  }

  #leave(request: Request): void {
    if (request.isOver) return
    request.isOver = true
    this.#unqueue(request)
    request.workspace.requests -= 1
    this.#forgetIfIdle(request.workspace)
    this.#onChange()
  }

  #forgetIfIdle({ id, requests, running }: Workspace): void {
    if (requests === 0 && running === 0) this.#workspaces.delete(id)
  }
}
