/**
 * Postgres is the source of truth about keys. Gateways read records in the TTL store. These rules ensure that no gateway
 * serves a key after `revokeKey` has answered:
 *
 * - `revokeKey` marks the row first, then overwrites the records under all digests of the key, then answers. If the store
 *   is down it answers `unavailable`, and a second call finishes the work.
 * - `verifyKey` adds the digest before it reads the principal for the record. So a revocation or a change of the workspace
 *   finds every digest that can have a record.
 * - `verifyKey` writes a record only where there is none, and not when its reading is old. So it cannot undo a change that
 *   was made in between.
 *
 * Streams and conversations that a key opened end with it: the event `standingChanged` makes their holders check the key at
 * once. They also check every few seconds, so an event that is lost only costs time.
 */
import type { Handlers } from '@parlance/bus'
import type { authContract } from '@parlance/contracts'
import { createKeyHandlers, type KeyHandlersOptions } from './key-handlers.js'
import { createWorkspaceHandlers, type WorkspaceHandlersOptions } from './workspace-handlers.js'

export type AuthHandlersOptions = KeyHandlersOptions & WorkspaceHandlersOptions

export const createAuthHandlers = (options: AuthHandlersOptions): Handlers<typeof authContract> => ({
  ...createWorkspaceHandlers(options),
  ...createKeyHandlers(options),
})
