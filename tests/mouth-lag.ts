/** One frame of a page: whether the mouth was open, and how loud the audio was. */
export interface MouthFrame {
  readonly atMs: number
  readonly open?: boolean
  readonly loud: number
}

/** The lag in ms, early or late, at which the open mouth correlates best with loud audio. Steps of 20 ms, at most 300 ms. */
export const mouthLagMs = (frames: readonly MouthFrame[]): number => {
  const lips = frames.filter(({ open }) => open !== undefined)
  const loudAt = (atMs: number) => lips.find((lip) => Math.abs(lip.atMs - atMs) <= 10)?.loud
  const likeness = (lagMs: number) => {
    const pairs = lips.flatMap(({ atMs, open }) => {
      const loud = loudAt(atMs + lagMs)
      return loud === undefined ? [] : [[open ? 1 : 0, loud] as const]
    })
    const mean = (of: (pair: readonly [number, number]) => number) =>
      pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length
    const [open, loud] = [mean(([open]) => open), mean(([, loud]) => loud)]
    const together = mean((pair) => (pair[0] - open) * (pair[1] - loud))
    return together / Math.sqrt(mean((pair) => (pair[0] - open) ** 2) * mean((pair) => (pair[1] - loud) ** 2))
  }
  const lags = Array.from({ length: 31 }, (_, index) => (index - 15) * 20)
  return Math.abs(lags.reduce((best, lag) => (likeness(lag) > likeness(best) ? lag : best)))
}
