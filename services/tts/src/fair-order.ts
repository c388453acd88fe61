/** A workspace among all, or a request among those of its workspace. */
export interface Claimant {
  /** Engines that it has. */
  running: number
  /** The number of the grant by which it last received an engine. */
  grantedAt: number
}

/** The one with the fewest engines; among equals the one that has been without for longest. */
export const fairest = <Each extends Claimant>(claimants: Iterable<Each>): Each | undefined => {
  let best: Each | undefined
  for (const claimant of claimants) {
    const difference = best && (claimant.running - best.running || claimant.grantedAt - best.grantedAt)
    if (difference === undefined || difference < 0) best = claimant
  }
  return best
}
