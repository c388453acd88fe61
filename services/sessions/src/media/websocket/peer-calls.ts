import type { liveSessionsContract } from '@parlance/contracts'
import type { z } from 'zod'

export type PeerItem = z.output<(typeof liveSessionsContract)['methods']['receive']['request']>['items'][number]

/** The calls that a peer's items come in, put into their order. */
export interface PeerCalls {
  /** The items of this call and of those that had waited for it. One that came before is not given again. */
  take(seq: number, items: readonly PeerItem[]): readonly PeerItem[]
  /** Another connection of the peer, which counts from 0. */
  restart(): void
}

/** So many calls may wait for one that is missing; then it counts as lost. */
const mostWaiting = 16

export const createPeerCalls = (): PeerCalls => {
  const waiting = new Map<number, readonly PeerItem[]>()
  let expected = 0

  return {
    take(seq, items) {
      if (seq < expected) return []
      waiting.set(seq, items)
      if (waiting.size > mostWaiting) expected = Math.min(...waiting.keys())
      const inOrder: PeerItem[] = []
      for (let next = waiting.get(expected); next !== undefined; next = waiting.get(expected)) {
        inOrder.push(...next)
        waiting.delete(expected)
        expected += 1
      }
      return inOrder
    },
    restart() {
      waiting.clear()
      expected = 0
    },
  }
}
