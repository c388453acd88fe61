import { setTimeout as delay } from 'node:timers/promises'

/** Repeats `attempt` until it resolves to something true. A rejection means not yet. */
export const eventually = async (what, attempt, { withinMs = 20_000, everyMs = 25, onFailure = () => '' } = {}) => {
  const giveUpAt = performance.now() + withinMs
  let last
  while (performance.now() < giveUpAt) {
    try {
      const answer = await attempt()
      if (answer) return answer
    } catch (error) {
      last = error
    }
    await delay(everyMs)
  }
  throw new Error(`${what} did not happen within ${withinMs / 1000} s. ${last?.message ?? ''}\n${onFailure()}`.trim())
}
