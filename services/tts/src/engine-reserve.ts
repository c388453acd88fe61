/**
 * How many engines a workspace may have. One that is alone may have all. While another workspace was given an engine
 * lately, one engine is kept from it, so that the other's next request begins at once.
 */
export interface EngineReserve {
  /** A workspace was given an engine. */
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
