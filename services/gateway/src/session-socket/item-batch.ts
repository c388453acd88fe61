/**
 * What a peer sends, on its way to the instance that holds its conversation.
 *
 * - One call is under way at a time, with what came meanwhile in the next: so nothing overtakes anything.
 * - What comes alone waits for a moment, so that audio does not take a call for every frame.
 * - A call that fails on its way is made again under its number, by which the other side knows whether it had it.
 */
import type { liveSessionsContract } from '@parlance/contracts'
import type { z } from 'zod'

export type PeerItem = z.input<(typeof liveSessionsContract)['methods']['receive']['request']>['items'][number]

export interface GatheredItems {
  add(item: PeerItem): void
  /** The peer lives, though it may have nothing to say. */
  live(): void
  stop(): void
}

export interface GatheredItemsOptions {
  deliver(seq: number, items: readonly PeerItem[]): Promise<unknown>
  /** More waits than should; true until that is no longer so. */
  onFull(full: boolean): void
  /** What was gathered cannot be delivered. The last call. */
  onFailure(error: unknown): void
}

const gatherMs = 10
/** Of one call: what the contract allows, and what fits into a message of the bus. */
const mostItems = 250
const mostBytes = 256 * 1024
const mostWaiting = 500
const mostTries = 3

const bytesOf = (item: PeerItem): number =>
  item.kind === 'audio' ? item.data.length : Buffer.byteLength(JSON.stringify(item.text))

export const createGatheredItems = ({ deliver, onFull, onFailure }: GatheredItemsOptions): GatheredItems => {
  const items: PeerItem[] = []
  let seq = 0
  let running = false
  let stopped = false
  let alive = false
  let full = false

  const tellFull = (): void => {
    const now = full ? items.length > mostWaiting / 2 : items.length > mostWaiting
    if (now === full) return
    full = now
    onFull(full)
  }

  const next = (): PeerItem[] => {
    let count = 0
    let bytes = 0
    while (count < items.length && count < mostItems) {
      bytes += bytesOf(items[count] as PeerItem)
      if (count > 0 && bytes > mostBytes) break
      count += 1
    }
    return items.splice(0, count)
  }

  const deliverSurely = async (number: number, call: readonly PeerItem[]): Promise<void> => {
    for (let tries = 1; ; tries++) {
      try {
        await deliver(number, call)
        return
      } catch (error) {
        if (tries === mostTries || stopped) throw error
      }
    }
  }

  const run = async (): Promise<void> => {
    try {
      while ((items.length > 0 || alive) && !stopped) {
        if (items.length > 0) await new Promise((resolve) => setTimeout(resolve, gatherMs))
        alive = false
        const call = next()
        tellFull()
        await deliverSurely(seq++, call)
      }
    } catch (error) {
      if (!stopped) onFailure(error)
      stopped = true
    } finally {
      running = false
    }
  }
  const begin = (): void => {
    if (running || stopped) return
    running = true
    void run()
  }

  return {
    add(item) {
      items.push(item)
      tellFull()
      begin()
    },
    live() {
      alive = true
      begin()
    },
    stop() {
      stopped = true
    },
  }
}
