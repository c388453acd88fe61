/**
 * Which process holds which conversation, told to all through the TTL store.
 *
 * - A conversation is live while it stands here as live, and the instance that holds it lives.
 * - An instance lives while it says so: its heartbeat is gone at the latest ten seconds after it.
 * - That a conversation has ended stays known for a while, so that who asks late is told that, and not that it never was.
 */
import type { TtlStore } from '@parlance/store'
import { z } from 'zod'
import { type SessionPlace, sessionPlaceSchema } from './session-place.js'

export interface LocatedSession extends SessionPlace {
  /** False once it has ended, or the instance that held it is gone. */
  readonly live: boolean
}

/** Methods reject with `unavailable` while the store cannot be reached. */
export interface SessionRegistry {
  /** `forMs` is the longest that it can live. */
  put(sessionId: string, place: SessionPlace, forMs: number): Promise<void>
  end(sessionId: string, place: SessionPlace): Promise<void>
  /** As if it had never been there. */
  remove(sessionId: string): Promise<void>
  /** Undefined for what never was, or has ended long ago. */
  locate(sessionId: string): Promise<LocatedSession | undefined>
  beat(instanceId: string): Promise<void>
  /** The instance is gone from now on. */
  leave(instanceId: string): Promise<void>
  lives(instanceId: string): Promise<boolean>
}

export const heartbeatTtlMs = 10_000
const knownAfterEndMs = 60 * 60 * 1000

const entrySchema = sessionPlaceSchema.extend({ ended: z.boolean() })

const placeKey = (sessionId: string) => `sessions:{${sessionId}}`
const heartbeatKey = (instanceId: string) => `session-instances:{${instanceId}}`

export const createSessionRegistry = (ttl: Pick<TtlStore, 'get' | 'set' | 'delete'>): SessionRegistry => {
  const write = (sessionId: string, place: SessionPlace, ended: boolean, ttlMs: number) =>
    ttl.set(placeKey(sessionId), JSON.stringify({ ...place, ended }), ttlMs)
  const lives = async (instanceId: string) => (await ttl.get(heartbeatKey(instanceId))) !== null

  return {
    put: (sessionId, place, forMs) => write(sessionId, place, false, forMs),
    end: (sessionId, place) => write(sessionId, place, true, knownAfterEndMs),
    remove: (sessionId) => ttl.delete(placeKey(sessionId)),
    async locate(sessionId) {
      const text = await ttl.get(placeKey(sessionId))
      if (text === null) return undefined
      const { ended, ...place } = entrySchema.parse(JSON.parse(text))
      return { ...place, live: !ended && (await lives(place.instance_id)) }
    },
    beat: (instanceId) => ttl.set(heartbeatKey(instanceId), '1', heartbeatTtlMs),
    leave: (instanceId) => ttl.delete(heartbeatKey(instanceId)),
    lives,
  }
}
