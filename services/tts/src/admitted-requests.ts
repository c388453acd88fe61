/**
 * The requests that are admitted and not over, by workspace, and the slots that they take.
 *
 * A request takes a slot while an engine works for it or it waits for one, not while its audio is being read. A workspace gets
 * at most half of the queue's slots. When many texts of one workspace continue at once with their next segments, they do not
 * use the other half.
 */
import { type Claimant, fairest } from './fair-order.js'
import { hasWaiting, type ScheduledRequest, type ScheduledWorkspace } from './scheduled-request.js'

export interface AdmittedRequestsOptions {
  readonly engines: number
  readonly queueLimit: number
  /** How many engines a workspace may have now. */
  readonly enginesOf: (workspace: ScheduledWorkspace) => number
}

export class AdmittedRequests {
  readonly #workspaces = new Map<string, ScheduledWorkspace>()
  readonly #enginesOf: AdmittedRequestsOptions['enginesOf']
  readonly #maxSlots: number
  readonly #maxSlotsOfWorkspace: number
  /** Beyond these a request is better served by another worker. */
  readonly #slotsWithRoom: number
  /** Taken from others: of a workspace at most its own. */
  #slots = 0
  /** Requests that have not begun, and wait for an engine. */
  #queued = 0

  constructor({ engines, queueLimit, enginesOf }: AdmittedRequestsOptions) {
    this.#enginesOf = enginesOf
    this.#maxSlots = engines + queueLimit
    this.#maxSlotsOfWorkspace = Math.max(engines, Math.max(1, engines - 1) + Math.ceil(queueLimit / 2))
    this.#slotsWithRoom = engines + Math.min(queueLimit, engines)
  }

  /** Whether a request that has not begun waits for an engine. */
  get isQueueing(): boolean {
    return this.#queued > 0
  }

  /** Whether a request would begin soon. */
  get hasRoom(): boolean {
    return this.#slots < this.#slotsWithRoom
  }

  /** Whether a workspace gets no slot for another request. */
  isFull(workspace: ScheduledWorkspace): boolean {
    return this.#slots >= this.#maxSlots || workspace.slots >= this.#maxSlotsOfWorkspace
  }

  /** The workspace, which is a new one while it has no request. */
  workspace(id: string, claimant: Claimant): ScheduledWorkspace {
    return this.#workspaces.get(id) ?? { ...claimant, id, slots: 0, requests: 0, replies: new Set(), others: new Set() }
  }

  add(request: ScheduledRequest): void {
    const { workspace } = request
    this.#workspaces.set(workspace.id, workspace)
    workspace.requests += 1
    this.update(request)
  }

  /** Follows the state of the request, and removes it when it is over. */
  update(request: ScheduledRequest): void {
    const { workspace } = request
    const wants = request.arriving || hasWaiting(request)
    const line = request.isReply ? workspace.replies : workspace.others
    if (wants) line.add(request)
    else line.delete(request)
    const isQueued = !request.begun && hasWaiting(request)
    if (isQueued !== request.isQueued) {
      request.isQueued = isQueued
      this.#queued += isQueued ? 1 : -1
    }
    const takesSlot = wants || request.running > 0
    if (takesSlot !== request.hasSlot) this.#setSlot(request, takesSlot)
    if (takesSlot || !request.left) return
    workspace.requests -= 1
    if (workspace.requests === 0) this.#workspaces.delete(workspace.id)
  }

  /** Requests that are served before a new one of the workspace: as many of each workspace, and all replies first. */
  aheadOf(workspace: ScheduledWorkspace, isReply: boolean): number {
    const own = isReply ? workspace.replies.size : workspace.others.size
    let ahead = own
    if (!isReply) ahead += workspace.replies.size
    for (const other of this.#workspaces.values()) {
      if (other === workspace) continue
      ahead += isReply
        ? Math.min(other.replies.size, own + 1)
        : other.replies.size + Math.min(other.others.size, own + 1)
    }
    return ahead
  }

  /** The request that gets the next free engine. */
  next(): ScheduledRequest | undefined {
    const workspaces = [...this.#workspaces.values()]
    const replying = fairest(workspaces.filter(({ replies }) => [...replies].some(hasWaiting)))
    if (replying !== undefined) return fairest([...replying.replies].filter(hasWaiting))
    const mayGetEngine = (workspace: ScheduledWorkspace) =>
      workspace.running < this.#enginesOf(workspace) && [...workspace.others].some(hasWaiting)
    const workspace = fairest(workspaces.filter(mayGetEngine))
    return workspace && fairest([...workspace.others].filter(hasWaiting))
  }

  #setSlot(request: ScheduledRequest, takesSlot: boolean): void {
    const { workspace } = request
    request.hasSlot = takesSlot
    const before = Math.min(workspace.slots, this.#maxSlotsOfWorkspace)
    workspace.slots += takesSlot ? 1 : -1
    this.#slots += Math.min(workspace.slots, this.#maxSlotsOfWorkspace) - before
  }
}
