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

import type { Client, Handlers } from '@parlance/bus'
import {
  activeRecordTtlMs,
  createApiKey,
  digestApiKey,
  type KeyEnvironment,
  type Peppers,
  visiblePrefix,
  writeActiveRecord,
  writeChangedRecords,
  writeRevokedRecords,
} from '@parlance/clients/api-key'
import { type authContract, type Capability, idSchema, type Principal, ServiceError } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import type { ApiKeyRepository } from './api-key-repository.js'
import type { WorkspaceRepository } from './workspace-repository.js'

export interface AuthHandlersOptions {
  workspaces: WorkspaceRepository
  keys: ApiKeyRepository
  ttl: TtlStore
  peppers: Peppers
  environment: KeyEnvironment
  standingChanged: Pick<Client<typeof authContract>['standingChanged'], 'publish'>
}

/** A reading that is older is answered but not stored: half the life of a `changed` record. */
const staleAfterMs = 5_000

const unique = (capabilities: readonly Capability[]): Capability[] => [...new Set(capabilities)]

/** Postgres cannot store a text with U+0000. */
const assertStorable = (field: string, text: string): void => {
  if (text.includes('\0')) throw new ServiceError('invalid_request', `${field}: must not contain the character U+0000`)
}

export const createAuthHandlers = (options: AuthHandlersOptions): Handlers<typeof authContract> => {
  const { workspaces, keys, ttl, peppers, environment, standingChanged } = options

  const announce = (workspace_id: string): void => {
    try {
      standingChanged.publish({ workspace_id })
    } catch {
      // Without the bus the event is lost.
    }
  }

  const store = async (digest: string, principal: Principal, readAtMs: number): Promise<void> => {
    if (Date.now() - readAtMs > staleAfterMs) return
    // Without a record the next request calls again, so a store that is down is no reason to refuse this one.
    await writeActiveRecord(ttl, digest, principal, readAtMs).catch(() => {})
  }

  return {
    async createWorkspace(workspace) {
      assertStorable('name', workspace.name)
      return workspaces.create({ ...workspace, capabilities: unique(workspace.capabilities) })
    },

    async getWorkspace({ workspace_id }, { fail }) {
      return (await workspaces.find(workspace_id)) ?? fail('not_found', 'There is no such workspace.')
    },

    async listWorkspaces({ limit, cursor }, { fail }) {
      // Workspaces are never removed, so the id of one is always a valid cursor.
      if (cursor !== undefined && !(idSchema.safeParse(cursor).success && (await workspaces.find(cursor)))) {
        return fail('invalid_request', 'cursor: must be the next_cursor of the page before')
      }
      const found = await workspaces.list({ after: cursor, limit: limit + 1 })
      const page = found.slice(0, limit)
      return { workspaces: page, next_cursor: found.length > limit ? page.at(-1)!.id : null }
    },

    async updateWorkspace({ workspace_id, ...changes }, { fail }) {
      const workspace = await workspaces.update(workspace_id, {
        ...changes,
        capabilities: changes.capabilities && unique(changes.capabilities),
      })
      if (workspace === undefined) return fail('not_found', 'There is no such workspace.')
      // A key that is being revoked now, or whose record could not be overwritten, may still have an active record.
      const { active, revoked } = await keys.digestsOfKeys(workspace_id, 2 * activeRecordTtlMs)
      await Promise.all([writeChangedRecords(ttl, active), writeRevokedRecords(ttl, revoked)])
      announce(workspace_id)
      return workspace
    },

    async createKey({ workspace_id, label }, { fail }) {
      assertStorable('label', label)
      const key = createApiKey(environment)
      // Under every pepper: while a new one is rolled out, some gateways have only the older ones.
      const digests = peppers.map((pepper) => digestApiKey(key, pepper))
      const created = await keys.create({ workspaceId: workspace_id, label, prefix: visiblePrefix(key), digests })
      if (created === undefined) return fail('not_found', 'There is no such workspace.')
      return { ...created, key }
    },

    async listKeys({ workspace_id }) {
      return { keys: await keys.list(workspace_id) }
    },

    async revokeKey({ workspace_id, key_id }, { fail }) {
      const revoked = await keys.revoke(workspace_id, key_id)
      if (revoked === undefined) return fail('not_found', 'There is no such key.')
      announce(workspace_id)
      await writeRevokedRecords(ttl, await keys.digestsOfKey(workspace_id, key_id))
      return revoked
    },

    async verifyKey({ digests }, { fail }) {
      const newest = digests.reduce((a, b) => (b.pepper_version > a.pepper_version ? b : a))
      let readAtMs = Date.now()
      let found = await keys.findPrincipal(digests.map(({ digest }) => digest))
      if (found !== undefined && !found.known.includes(newest.digest)) {
        await keys.addDigest(found.principal.key_id, newest)
        readAtMs = Date.now()
        found = await keys.findPrincipal([newest.digest])
      }
      if (found === undefined) return fail('unauthorized', 'This API key is not valid.')
      // The gateway that called reads the record under its newest digest.
      await store(newest.digest, found.principal, readAtMs)
      return found.principal
    },

    async getKeyWorkspace({ workspace_id, key_id }, { fail }) {
      const workspace = await workspaces.findByKey(workspace_id, key_id)
      return workspace ?? fail('unauthorized', 'The API key that minted this token has been revoked.')
    },

    async findEndedKeys({ key_ids }) {
      return { ended: await keys.findEnded(key_ids) }
    },

    async recordKeyUse({ uses }) {
      await keys.recordUses(uses)
      return {}
    },
  }
}
