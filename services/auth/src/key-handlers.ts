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
  createApiKey,
  digestApiKey,
  type KeyEnvironment,
  type Peppers,
  visiblePrefix,
  writeActiveRecord,
  writeRevokedRecords,
} from '@parlance/clients/api-key'
import type { authContract, Principal } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import type { ApiKeyRepository } from './api-key-repository.js'
import type { WorkspaceRepository } from './workspace-repository.js'

/** The event that makes the holders of streams and conversations check their keys. */
export type StandingChanged = Pick<Client<typeof authContract>['standingChanged'], 'publish'>

export const announceStanding = (standingChanged: StandingChanged, workspace_id: string): void => {
  try {
    standingChanged.publish({ workspace_id })
  } catch {
    // Without the bus the event is lost.
  }
}

interface KeyHandlersOptions {
  readonly workspaces: Pick<WorkspaceRepository, 'findByKey'>
  readonly keys: ApiKeyRepository
  readonly ttl: TtlStore
  readonly peppers: Peppers
  readonly environment: KeyEnvironment
  readonly standingChanged: StandingChanged
}

type KeyHandlers = Pick<
  Handlers<typeof authContract>,
  | 'createKey'
  | 'listKeys'
  | 'revokeKey'
  | 'verifyKey'
  | 'getKeyWorkspace'
  | 'addAgentKey'
  | 'findEndedKeys'
  | 'recordKeyUse'
>

/** An older reading is returned but not stored: half the lifetime of a `changed` record. */
const staleAfterMs = 5_000

export const createKeyHandlers = (options: KeyHandlersOptions): KeyHandlers => {
  const { workspaces, keys, ttl, peppers, environment, standingChanged } = options

  const store = async (digest: string, principal: Principal, readAtMs: number): Promise<void> => {
    if (Date.now() - readAtMs > staleAfterMs) return
    // Without a record the next request calls again, so a store that is down is no reason to refuse this one.
    await writeActiveRecord(ttl, digest, principal, readAtMs).catch(() => {})
  }

  return {
    async createKey({ workspace_id, label, person_id }, { fail }) {
      const key = createApiKey(environment)
      // Under every pepper: while a new one is rolled out, some gateways have only the older ones.
      const digests = peppers.map((pepper) => digestApiKey(key, pepper))
      const created = await keys.create({
        ...{ workspaceId: workspace_id, label, prefix: visiblePrefix(key), digests },
        personId: person_id,
      })
      if (created === undefined) return fail('not_found', 'There is no such workspace.')
      return { ...created, key }
    },

    async listKeys({ workspace_id, ...page }) {
      const [{ items, nextCursor }, member_keys] = await Promise.all([
        keys.list(workspace_id, page),
        page.cursor === undefined ? keys.listMemberKeys(workspace_id) : [],
      ])
      return { keys: items, next_cursor: nextCursor, member_keys }
    },

    async revokeKey({ workspace_id, key_id, person_id }, { fail }) {
      const revoked = await keys.revoke(workspace_id, key_id, person_id)
      if (revoked === undefined) return fail('not_found', 'There is no such key.')
      announceStanding(standingChanged, workspace_id)
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

    async addAgentKey({ workspace_id, agent_id }, { fail }) {
      const keyed = await workspaces.findByKey(workspace_id, agent_id)
      if (keyed !== undefined) return keyed
      await keys.addOfAgent(workspace_id, agent_id)
      return (await workspaces.findByKey(workspace_id, agent_id)) ?? fail('not_found', 'There is no such workspace.')
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
