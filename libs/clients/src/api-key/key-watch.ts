/**
 * Ends connections and conversations whose key is revoked or whose workspace is suspended.
 *
 * - All watched keys are looked up together every two seconds, and at once when auth announces a change. A lost announcement
 *   delays the end by at most two seconds.
 * - While auth cannot be reached they stay open, and the next look-up decides.
 */
import type { Client } from '@parlance/bus'
import { type authContract, maxWatchedKeys, ServiceError } from '@parlance/contracts'

export interface WatchedKey {
  readonly workspace_id: string
  readonly key_id: string
}

/** Called at most once, with `unauthorized` or `organization_suspended`. */
type OnKeyEnded = (error: ServiceError) => void

/** What a key watch calls. */
interface KeyWatchOptions {
  readonly auth: Pick<Client<typeof authContract>, 'findEndedKeys' | 'standingChanged'>
  /** Called for the first look-up that fails after one that succeeded. Look-ups go on. */
  onFailure(error: unknown): void
}

const everyMs = 2_000
const deadlineMs = 1_500

const details = {
  unauthorized: 'The API key that opened this has been revoked.',
  organization_suspended: 'This workspace is suspended.',
} as const

/** Watches keys that opened something long-lived, and reports those that are revoked or whose workspace is suspended. */
export const createKeyWatch = ({ auth, onFailure }: KeyWatchOptions) => {
  const watched = new Map<string, { readonly workspaceId: string; readonly listeners: Set<OnKeyEnded> }>()

  const lookUp = async (keyIds: readonly string[]): Promise<void> => {
    for (let from = 0; from < keyIds.length; from += maxWatchedKeys) {
      const key_ids = keyIds.slice(from, from + maxWatchedKeys)
      const { ended } = await auth.findEndedKeys({ key_ids }, { deadlineMs })
      for (const { key_id, code } of ended) {
        const listeners = watched.get(key_id)?.listeners ?? []
        watched.delete(key_id)
        for (const onEnded of listeners) onEnded(new ServiceError(code, details[code]))
      }
    }
  }

  let failing = false
  const attempt = async (keyIds: readonly string[]): Promise<void> => {
    try {
      await lookUp(keyIds)
      failing = false
    } catch (error) {
      if (!failing) onFailure(error)
      failing = true
    }
  }

  let lookingUp: Promise<void> | undefined
  const lookUpAll = (): void => {
    lookingUp ??= attempt([...watched.keys()]).finally(() => {
      lookingUp = undefined
    })
  }
  const timer = setInterval(lookUpAll, everyMs)
  timer.unref()

  const announced = auth.standingChanged.subscribe(({ workspace_id }) => {
    const keyIds = [...watched].flatMap(([keyId, { workspaceId }]) => (workspaceId === workspace_id ? [keyId] : []))
    void attempt(keyIds)
  })

  return {
    /** Returns the function that ends the watch, which may be called at any time. */
    add({ workspace_id: workspaceId, key_id: keyId }: WatchedKey, onEnded: OnKeyEnded): () => void {
      const key = watched.get(keyId) ?? { workspaceId, listeners: new Set() }
      watched.set(keyId, key)
      key.listeners.add(onEnded)
      return () => {
        key.listeners.delete(onEnded)
        if (key.listeners.size === 0 && watched.get(keyId) === key) watched.delete(keyId)
      }
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      announced.unsubscribe()
      await lookingUp
    },
  }
}

export type KeyWatch = ReturnType<typeof createKeyWatch>
