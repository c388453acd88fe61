/** Limits how long work of one kind runs within one tick of the event loop. */
export interface TickBudget {
  /** True once the work has run for the budget since its first call in this tick. */
  isSpent(): boolean
}

export const createTickBudget = (budgetMs: number): TickBudget => {
  /** `performance.now()` of the first call in this tick. */
  let beganAtMs: number | undefined
  const onTickEnd = () => {
    beganAtMs = undefined
  }
  return {
    isSpent() {
      const nowMs = performance.now()
      if (beganAtMs === undefined) {
        beganAtMs = nowMs
        setImmediate(onTickEnd)
      }
      return nowMs - beganAtMs >= budgetMs
    },
  }
}
