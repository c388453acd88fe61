/**
 * The number of engines that a workspace may use. A workspace without others may use all. When another workspace used an engine
 * recently, one engine is reserved, so that the other's next request starts at once.
 */
export interface EngineReserve {
  /** A workspace has received an engine. */
  granted(workspaceId: string, nowMs: number): void
  enginesFor(workspaceId: string, nowMs: number): number
}

interface Grant {
  readonly workspaceId: string
  readonly atMs: number
}

const latelyMs = 2_000

export const createEngineReserve = (engines: number): EngineReserve => {
  let last: Grant | undefined
  /** The last one to another workspace than `last`. */
  let other: Grant | undefined
  return {
    granted(workspaceId, atMs) {
      if (last?.workspaceId !== workspaceId) other = last
      last = { workspaceId, atMs }
    },
    enginesFor(workspaceId, nowMs) {
      const toAnother = last?.workspaceId === workspaceId ? other : last
      const isAlone = toAnother === undefined || nowMs - toAnother.atMs > latelyMs
      return isAlone ? engines : Math.max(1, engines - 1)
    },
  }
}
