/**
 * Hands the engines to the segments of the requests that are being served.
 *
 * - A request takes a seat while an engine works for it or it waits for one, not while its audio is being read. There is
 *   a seat for each engine and for each place in the queue; who finds none is refused, who was admitted is seen through.
 * - No workspace gets all engines, nor all of the queue, so that another's first segment can start at once. When many
 *   texts of one workspace come back at once for their next segments, they wait for one another and fill nobody's seat.
 * - A free engine goes to the workspace that has fewest and within it to the request that has fewest; among equals to
 *   the one that has gone without for longest. So each segment of a long text stands in line again.
 */
import { ServiceError } from '@parlance/contracts'

export interface SchedulerOptions {
  /** How many segments are spoken at the same time. */
  readonly engines: number
  /** How many requests may wait. */
  readonly queueLimit: number
  /** Called after each change of what the scheduler tells of itself. */
  readonly onChange?: () => void
}

export interface AdmittedRequest {
  /**
   * Resolves when an engine is there for one segment, with what gives it back (once; more often does no harm). Rejects
   * with the signal's reason.
   */
  engine(signal: AbortSignal): Promise<() => void>
  /** Asks for nothing more. */
  leave(): void
}

export interface Scheduler {
  /** Throws `capacity_exhausted` when there is no seat, `draining` after `drain`. */
  admit(workspaceId: string): AdmittedRequest
  /** From now on nobody is admitted. */
  drain(): void
  /** Whether a request of a workspace that has none here would be admitted. */
  hasRoom(): boolean
  /** Segments that are spoken now. */
  running(): number
  /** Segments that wait for an engine. */
  waiting(): number
}

/** Who stands in line: a workspace among all, a request among those of its workspace. */
interface Claimant {
  running: number
  /** The turn in which it was last given an engine. */
  servedIn: number
}

interface Workspace extends Claimant {
  readonly id: string
  seats: number
  readonly requests: Set<Request>
}

interface Request extends Claimant {
  readonly workspace: Workspace
  /** Each is called when the engine is there. */
  readonly waiting: Set<() => void>
  /** Its first segment is yet to come. */
  arriving: boolean
  /** It asks for nothing more. */
  left: boolean
  seated: boolean
}

const fairest = <Each extends Claimant>(claimants: Iterable<Each>): Each | undefined => {
  let best: Each | undefined
  for (const claimant of claimants) {
    const difference = best && (claimant.running - best.running || claimant.servedIn - best.servedIn)
    if (difference === undefined || difference < 0) best = claimant
  }
  return best
}

const first = <Each>(set: ReadonlySet<Each>): Each => set.values().next().value as Each

export const createScheduler = ({ engines, queueLimit, onChange = () => {} }: SchedulerOptions): Scheduler => {
  const seats = engines + queueLimit
  const enginesOfWorkspace = Math.max(1, engines - 1)
  const seatsOfWorkspace = enginesOfWorkspace + Math.ceil(queueLimit / 2)
  const workspaces = new Map<string, Workspace>()
  /** Seats that are taken from others: of a workspace at most its own. */
  let seated = 0
  let running = 0
  let waiting = 0
  let turn = 0
  let draining = false

  /** Who is new goes before those that were served just now, and after those that waited for that. */
  const newcomer = (): Claimant => ({ running: 0, servedIn: turn - 1 })

  /** Gives the request a seat or takes it back, and forgets it when it is over. */
  const seat = (request: Request) => {
    const { workspace } = request
    const busy = request.arriving || request.waiting.size > 0 || request.running > 0
    if (busy !== request.seated) {
      request.seated = busy
      const before = Math.min(workspace.seats, seatsOfWorkspace)
      workspace.seats += busy ? 1 : -1
      seated += Math.min(workspace.seats, seatsOfWorkspace) - before
    }
    if (busy || !request.left) return
    workspace.requests.delete(request)
    if (workspace.requests.size === 0) workspaces.delete(workspace.id)
  }

  const next = (): Request | undefined => {
    const hasWaiting = (request: Request) => request.waiting.size > 0
    const mayHaveOne = (workspace: Workspace) =>
      workspace.running < enginesOfWorkspace && [...workspace.requests].some(hasWaiting)
    const workspace = fairest([...workspaces.values()].filter(mayHaveOne))
    return workspace && fairest([...workspace.requests].filter(hasWaiting))
  }

  const dispatch = () => {
    while (running < engines) {
      const request = next()
      if (request === undefined) break
      const start = first(request.waiting)
      request.waiting.delete(start)
      waiting -= 1
      running += 1
      turn += 1
      for (const claimant of [request, request.workspace]) {
        claimant.running += 1
        claimant.servedIn = turn
      }
      start()
    }
    onChange()
  }

  const release = (request: Request) => {
    running -= 1
    request.running -= 1
    request.workspace.running -= 1
    seat(request)
    dispatch()
  }

  const engine = (request: Request, signal: AbortSignal) =>
    new Promise<() => void>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const giveUp = () => {
        request.waiting.delete(start)
        waiting -= 1
        seat(request)
        onChange()
        reject(signal.reason)
      }
      const start = () => {
        signal.removeEventListener('abort', giveUp)
        let held = true
        resolve(() => {
          if (!held) return
          held = false
          release(request)
        })
      }
      signal.addEventListener('abort', giveUp, { once: true })
      request.waiting.add(start)
      request.arriving = false
      waiting += 1
      seat(request)
      dispatch()
    })

  const workspaceOf = (id: string): Workspace =>
    workspaces.get(id) ?? { ...newcomer(), id, seats: 0, requests: new Set() }

  return {
    admit(workspaceId) {
      if (draining) throw new ServiceError('draining', 'The service is shutting down. Try again.')
      const workspace = workspaceOf(workspaceId)
      if (seated >= seats || workspace.seats >= seatsOfWorkspace) {
        throw new ServiceError('capacity_exhausted', 'All speech engines are busy. Try again shortly.')
      }
      const request: Request = {
        ...newcomer(),
        workspace,
        waiting: new Set(),
        arriving: true,
        left: false,
        seated: false,
      }
      workspaces.set(workspaceId, workspace)
      workspace.requests.add(request)
      seat(request)
      onChange()
      return {
        engine: (signal) => engine(request, signal),
        leave() {
          request.arriving = false
          request.left = true
          seat(request)
          onChange()
        },
      }
    },
    drain() {
      draining = true
      onChange()
    },
    hasRoom: () => !draining && seated < seats,
    running: () => running,
    waiting: () => waiting,
  }
}
