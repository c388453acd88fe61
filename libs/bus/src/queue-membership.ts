import type { Subscription } from './bus.js'

/**
 * Being one of those among whom a queue group's messages are shared out. Leaving loses none: what is on its way when a
 * member leaves is still delivered, and who comes back meanwhile is simply there again.
 */
export const createQueueMembership = (subscribe: () => Subscription[]) => {
  const leaving = new Set<Promise<void>>()
  let subscriptions: Subscription[] = []
  let joined = false

  const leave = (subscription: Subscription) => {
    // A connection that is closed delivers nothing more either.
    const drained = subscription
      .drain()
      .catch(() => undefined)
      .finally(() => leaving.delete(drained))
    leaving.add(drained)
  }

  return {
    setJoined(wanted: boolean) {
      if (wanted === joined) return
      joined = wanted
      if (joined) subscriptions = subscribe()
      else for (const subscription of subscriptions.splice(0)) leave(subscription)
    },
    /** Resolves when nothing more can come through a membership that was left. */
    async drained() {
      await Promise.all(leaving)
    },
  }
}
