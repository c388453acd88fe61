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
 * - A request takes a slot while an engine works for it or it waits for one, not while its audio is being read. A
 *   workspace gets no more than half of the queue's slots. When many texts of one workspace come back at once for their
 *   next segments, they take nothing from the other half.
 */
import { ServiceError } from '@parlance/contracts'
import { controlledDelay, initialControlledDelay, isStanding } from './controlled-delay.js'
import { createEngineReserve } from './engine-reserve.js'
import { type Claimant, fairest } from './fair-order.js'
import { hasWaiting, type ScheduledRequest, type ScheduledWorkspace } from './scheduled-request.js'
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
   * Resolves when an engine is there for one segment, with what gives it back (once; more often does no harm). Rejects
   * with the signal's reason, or for the first segment with `capacity_exhausted` when the request's time is up.
   */
  engine(signal: AbortSignal): Promise<() => void>
  /** Asks for nothing more. */
  leave(): void
}

export interface Scheduler {
  /** Throws `capacity_exhausted` with the time to wait, or `draining` after `drain`. */
  admit(workspaceId: string, waiting: Waiting): AdmittedRequest
  /** From now on nothing is admitted. */
  drain(): void
  /** Whether a request would begin soon, in the order of the time that one segment takes. */
  hasRoom(): boolean
  /** Segments that are spoken now. */
  running(): number
  /** Segments that wait for an engine. */
  waiting(): number
}

export const createScheduler = ({
  engines,
  queueLimit,
  onChange = () => {},
  onTimeout = () => {},
  now = () => performance.now(),
}: SchedulerOptions): Scheduler => {
  const maxSlots = engines + queueLimit
  const maxSlotsOfWorkspace = Math.max(engines, Math.max(1, engines - 1) + Math.ceil(queueLimit / 2))
  /** Beyond these a request is better served by another worker. */
  const slotsWithRoom = engines + Math.min(queueLimit, engines)
  const workspaces = new Map<string, ScheduledWorkspace>()
  const serviceTime = createServiceTime()
  const reserve = createEngineReserve(engines)
  let delay = initialControlledDelay
  /** Taken from others: of a workspace at most its own. */
  let slots = 0
  let running = 0
  let waiting = 0
  /** Requests that have not begun, and wait for an engine. */
  let queued = 0
  let grants = 0
  let draining = false

  /** A new claimant goes before those that were served just now, and after those that waited meanwhile. */
  const newcomer = (): Claimant => ({ running: 0, grantedAt: grants - 1 })

  const enginesOf = ({ id }: ScheduledWorkspace): number => reserve.enginesFor(id, now())

  /** Follows what the request wants, and removes it when it is over. */
  const update = (request: ScheduledRequest) => {
    const { workspace } = request
    const wants = request.arriving || hasWaiting(request)
    const line = request.isReply ? workspace.replies : workspace.others
    if (wants) line.add(request)
    else line.delete(request)
    const isQueued = !request.begun && hasWaiting(request)
    if (isQueued !== request.isQueued) {
      request.isQueued = isQueued
      queued += isQueued ? 1 : -1
    }
    const takesSlot = wants || request.running > 0
    if (takesSlot !== request.hasSlot) {
      request.hasSlot = takesSlot
      const before = Math.min(workspace.slots, maxSlotsOfWorkspace)
      workspace.slots += takesSlot ? 1 : -1
      slots += Math.min(workspace.slots, maxSlotsOfWorkspace) - before
    }
    if (takesSlot || !request.left) return
    workspace.requests -= 1
    if (workspace.requests === 0) workspaces.delete(workspace.id)
  }

  /** Requests that are served before a new one of the workspace: as many of each workspace, and all replies first. */
  const aheadOf = (workspace: ScheduledWorkspace, isReply: boolean): number => {
    const own = isReply ? workspace.replies.size : workspace.others.size
    let ahead = own
    if (!isReply) ahead += workspace.replies.size
    for (const other of workspaces.values()) {
      if (other === workspace) continue
      ahead += isReply
        ? Math.min(other.replies.size, own + 1)
        : other.replies.size + Math.min(other.others.size, own + 1)
    }
    return ahead
  }

  const expectedWaitMs = (workspace: ScheduledWorkspace, isReply: boolean): number => {
    const available = isReply ? engines : enginesOf(workspace)
    const free = Math.min(engines - running, available - workspace.running)
    const ahead = aheadOf(workspace, isReply) - Math.max(0, free)
    return ahead < 0 ? 0 : ((ahead + 1) * serviceTime.estimateMs()) / engines
  }

  const exhausted = (workspace: ScheduledWorkspace, isReply: boolean) =>
    new ServiceError('capacity_exhausted', 'All speech engines are busy. Try again.', {
      retryAfterSeconds: Math.max(1, Math.ceil(expectedWaitMs(workspace, isReply) / 1_000)),
    })

  const next = (): ScheduledRequest | undefined => {
    const someReply = ({ replies }: ScheduledWorkspace) => [...replies].some(hasWaiting)
    const replying = fairest([...workspaces.values()].filter(someReply))
    if (replying !== undefined) return fairest([...replying.replies].filter(hasWaiting))
    const someOther = (workspace: ScheduledWorkspace) =>
      workspace.running < enginesOf(workspace) && [...workspace.others].some(hasWaiting)
    const workspace = fairest([...workspaces.values()].filter(someOther))
    return workspace && fairest([...workspace.others].filter(hasWaiting))
  }

  const grant = (request: ScheduledRequest) => {
    const { workspace } = request
    const [start] = request.waiting
    if (start === undefined) return
    request.waiting.delete(start)
    waiting -= 1
    running += 1
    grants += 1
    for (const claimant of [request, workspace]) {
      claimant.running += 1
      claimant.grantedAt = grants
    }
    reserve.granted(workspace.id, now())
    request.begun = true
    update(request)
    start()
  }

  const dispatch = () => {
    while (running < engines) {
      const request = next()
      if (request === undefined) break
      grant(request)
    }
    delay = controlledDelay(delay, queued > 0 ? 'queued' : 'emptied', now())
    onChange()
  }

  const release = (request: ScheduledRequest, grantedAtMs: number) => {
    serviceTime.add(now() - grantedAtMs)
    running -= 1
    request.running -= 1
    request.workspace.running -= 1
    update(request)
    dispatch()
  }

  const engine = (request: ScheduledRequest, signal: AbortSignal) =>
    new Promise<() => void>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      let timer: NodeJS.Timeout | undefined
      const stopWaiting = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
      const giveUp = (reason: unknown) => {
        stopWaiting()
        request.waiting.delete(start)
        waiting -= 1
        update(request)
        dispatch()
        reject(reason)
      }
      const onAbort = () => giveUp(signal.reason)
      const start = () => {
        stopWaiting()
        const grantedAtMs = now()
        let held = true
        resolve(() => {
          if (!held) return
          held = false
          release(request, grantedAtMs)
        })
      }
      signal.addEventListener('abort', onAbort, { once: true })
      request.waiting.add(start)
      request.arriving = false
      waiting += 1
      update(request)
      dispatch()
      if (request.begun) return
      const onExpiry = () => {
        if (request.begun) return
        onTimeout()
        giveUp(exhausted(request.workspace, request.isReply))
      }
      timer = setTimeout(onExpiry, Math.max(0, request.expiresAtMs - now())).unref()
    })

  const newWorkspace = (id: string): ScheduledWorkspace => ({
    ...newcomer(),
    id,
    slots: 0,
    requests: 0,
    replies: new Set(),
    others: new Set(),
  })

  return {
    admit(workspaceId, waiting) {
      if (draining) throw new ServiceError('draining', 'The service is shutting down. Try again.')
      const workspace = workspaces.get(workspaceId) ?? newWorkspace(workspaceId)
      const isReply = waiting.purpose === 'reply'
      const isFull = slots >= maxSlots || workspace.slots >= maxSlotsOfWorkspace
      const load = { isOverloaded: isStanding(delay, now()), segmentMs: serviceTime.estimateMs() }
      if (isFull || expectedWaitMs(workspace, isReply) > acceptableWaitMs(waiting, load)) {
        throw exhausted(workspace, isReply)
      }
      const request: ScheduledRequest = {
        ...newcomer(),
        workspace,
        isReply,
        waiting: new Set(),
        expiresAtMs: now() + longestWaitMs(waiting),
        arriving: true,
        begun: false,
        left: false,
        hasSlot: false,
        isQueued: false,
      }
      workspaces.set(workspaceId, workspace)
      workspace.requests += 1
      update(request)
      onChange()
      return {
        engine: (signal) => engine(request, signal),
        leave() {
          if (request.left) return
          request.arriving = false
          request.left = true
          update(request)
          onChange()
        },
      }
    },
    drain() {
      draining = true
      onChange()
    },
    hasRoom: () => !draining && slots < slotsWithRoom,
    running: () => running,
    waiting: () => waiting,
  }
}
