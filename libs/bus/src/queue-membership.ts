import type { Subscription } from './bus.js'

/**
 * The membership of this process in a queue group. Leaving loses no message: those in flight are still delivered. The process
 * may join again before that.
 */
export const createQueueMembership = (subscribe: () => Subscription[]) => {
  const leaving = new Set<Promise<void>>()
  let subscriptions: Subscription[] = []
  let joined = false

  const leave = (subscription: Subscription) => {
    // A closed connection delivers nothing more.
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
    /** Resolves when no message of a membership that was left can still arrive. */
    async drained() {
      await Promise.all(leaving)
    },
  }
}
