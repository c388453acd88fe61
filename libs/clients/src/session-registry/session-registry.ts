/**
 * The instance of every conversation, shared by all processes through the TTL store.
 *
 * - A conversation is live while its record here is live and its instance is.
 * - An instance is live while it has a heartbeat, which expires ten seconds after the instance has ended.
 * - The record of a conversation that has ended is kept for a while, so that late callers get `ended` and not `not found`.
 */

import { idSchema, sha256Schema } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import { z } from 'zod'

/** The instance of a conversation, and the workspace, Agent and keys it belongs to. */
const sessionPlaceSchema = z.object({
  instance_id: z.string(),
  workspace_id: idSchema,
  agent_id: idSchema,
  /** The key that minted the token. */
  key_id: idSchema,
  /** The digest of the session token that started it. The holder of the token may continue the conversation. */
  token_sha256: sha256Schema,
})
export type SessionPlace = z.infer<typeof sessionPlaceSchema>

export interface LocatedSession extends SessionPlace {
  /** False once the conversation or its instance has ended. */
  readonly live: boolean
}

const heartbeatTtlMs = 10_000
const knownAfterEndMs = 60 * 60 * 1000

const entrySchema = sessionPlaceSchema.extend({ ended: z.boolean() })

const placeKey = (sessionId: string) => `sessions:{${sessionId}}`
const heartbeatKey = (instanceId: string) => `session-instances:{${instanceId}}`

/** The registry of live sessions in the TTL store. Methods reject with `unavailable` while the store cannot be reached. */
export const createSessionRegistry = (ttl: Pick<TtlStore, 'get' | 'set' | 'delete'>) => {
  const write = (sessionId: string, place: SessionPlace, ended: boolean, ttlMs: number) =>
    ttl.set(placeKey(sessionId), JSON.stringify({ ...place, ended }), ttlMs)
  const lives = async (instanceId: string) => (await ttl.get(heartbeatKey(instanceId))) !== null

  return {
    /** `forMs` is the maximum duration of the conversation. */
    put: (sessionId: string, place: SessionPlace, forMs: number): Promise<void> =>
      write(sessionId, place, false, forMs),
    end: (sessionId: string, place: SessionPlace): Promise<void> => write(sessionId, place, true, knownAfterEndMs),
    /** Removes the record. */
    remove: (sessionId: string): Promise<void> => ttl.delete(placeKey(sessionId)),
    /** Undefined for a conversation that does not exist, or ended long ago. */
    async locate(sessionId: string): Promise<LocatedSession | undefined> {
      const text = await ttl.get(placeKey(sessionId))
      if (text === null) return undefined
      const { ended, ...place } = entrySchema.parse(JSON.parse(text))
      return { ...place, live: !ended && (await lives(place.instance_id)) }
    },
    beat: (instanceId: string): Promise<void> => ttl.set(heartbeatKey(instanceId), '1', heartbeatTtlMs),
    /** Removes the instance's heartbeat. */
    leave: (instanceId: string): Promise<void> => ttl.delete(heartbeatKey(instanceId)),
    lives,
  }
}

export type SessionRegistry = ReturnType<typeof createSessionRegistry>
