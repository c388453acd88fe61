import {
  type ApiKey,
  type EndedKey,
  type KeyDigest,
  type MemberKey,
  maxActiveKeys,
  maxListedMemberKeys,
  type Principal,
  ServiceError,
} from '@parlance/contracts'
import { type Database, type Page, pageByTime, timeOrder } from '@parlance/store'
import { actAs } from './audit/acting-person.js'

/** The digests of API keys. The keys themselves are not stored. */
const createKeyDigestRepository = (database: Database) => ({
  /** The workspace of the key with one of these digests, unless it is revoked, and which of the digests are stored. */
  async findPrincipal(wanted: readonly string[]): Promise<{ principal: Principal; known: string[] } | undefined> {
    const [row] = await database.query<Principal & { known: string[] }>(
      `select k.id as key_id, k.workspace_id, w.capabilities, w.suspended, array_agg(d.digest) as known
       from api_key_digests d join api_keys k on k.id = d.key_id join workspaces w on w.id = k.workspace_id
       where d.digest = any($1) and k.revoked_at is null
       group by k.id, w.id`,
      [wanted],
    )
    if (row === undefined) return undefined
    const { known, ...principal } = row
    return { principal, known }
  },

  /** Stores another digest of a key, unless the key is revoked. */
  async addDigest(keyId: string, { digest, pepper_version }: KeyDigest): Promise<void> {
    // The lock orders this and a revocation: either the revocation finds the new digest, or this finds the key revoked.
    await database.query(
      `insert into api_key_digests (digest, key_id, pepper_version)
       select $2, id, $3 from api_keys where id = $1 and revoked_at is null for share
       on conflict do nothing`,
      [keyId, digest, pepper_version],
    )
  },

  async digestsOfKey(workspaceId: string, keyId: string): Promise<string[]> {
    const rows = await database.query<{ digest: string }>(
      `select digest from api_key_digests join api_keys on api_keys.id = key_id where workspace_id = $1 and key_id = $2`,
      [workspaceId, keyId],
    )
    return rows.map(({ digest }) => digest)
  },

  /** The digests of the active keys, and of keys that were revoked within this number of ms. */
  async digestsOfKeys(workspaceId: string, revokedWithinMs: number): Promise<{ active: string[]; revoked: string[] }> {
    const rows = await database.query<{ digest: string; active: boolean }>(
      `select digest, revoked_at is null as active
       from api_key_digests join api_keys on api_keys.id = key_id
       where workspace_id = $1 and (revoked_at is null or revoked_at > now() - $2 * interval '1 ms')`,
      [workspaceId, revokedWithinMs],
    )
    const digestsOf = (wanted: boolean) => rows.flatMap(({ digest, active }) => (active === wanted ? [digest] : []))
    return { active: digestsOf(true), revoked: digestsOf(false) }
  },
})

interface Row extends Pick<ApiKey, 'id' | 'workspace_id' | 'label' | 'prefix'> {
  created_at: Date
  last_used_at: Date | null
  revoked_at: Date | null
}

const columns = 'id, workspace_id, label, prefix, created_at, last_used_at, revoked_at'

const toApiKey = ({ created_at, last_used_at, revoked_at, ...row }: Row): ApiKey => ({
  ...row,
  status: revoked_at === null ? 'active' : 'revoked',
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
  revoked_at: revoked_at?.toISOString() ?? null,
})

interface NewApiKey {
  workspaceId: string
  label: string
  prefix: string
  digests: readonly KeyDigest[]
  /** The member who creates it; undefined for an operator. */
  personId: string | undefined
}

export const createApiKeyRepository = (database: Database) => {
  return {
    ...createKeyDigestRepository(database),

    /**
     * Undefined when there is no such workspace. Rejects with `invalid_request` when it has the maximum number of active
     * keys.
     */
    async create({ workspaceId, label, prefix, digests, personId }: NewApiKey): Promise<ApiKey | undefined> {
      return actAs(database, personId, async (transaction) => {
        // Locked, so that keys that are created at once are counted one after the other.
        await transaction.query('select from workspaces where id = $1 for no key update', [workspaceId])
        const [active] = await transaction.query<{ count: number }>(
          `select count(*)::integer as count from api_keys
           where workspace_id = $1 and person_id is null and not of_agent and revoked_at is null`,
          [workspaceId],
        )
        if (active!.count >= maxActiveKeys) {
          const detail = `A workspace has at most ${maxActiveKeys} active API keys. Revoke one first.`
          throw new ServiceError('invalid_request', detail)
        }
        const [row] = await transaction.query<Row>(
          `with key as (
           insert into api_keys (workspace_id, label, prefix)
           select id, $2, $3 from workspaces where id = $1 returning *
         ), digest as (
           insert into api_key_digests (digest, key_id, pepper_version)
           select d.digest, id, d.version from key, unnest($4::text[], $5::integer[]) as d (digest, version)
         )
         select ${columns} from key`,
          [
            workspaceId,
            label,
            prefix,
            digests.map(({ digest }) => digest),
            digests.map(({ pepper_version }) => pepper_version),
          ],
        )
        return row && toApiKey(row)
      })
    },

    /** Newest first. */
    async list(
      workspaceId: string,
      { limit, cursor }: { limit: number; cursor?: string | undefined },
    ): Promise<Page<ApiKey>> {
      const { createdUs, isAfter, orderBy, values } = timeOrder({ cursor, order: 'desc' }, 'k', 2)
      const rows = await database.query<Row & { created_us: number }>(
        `select ${columns}, ${createdUs} from api_keys k
         where workspace_id = $1 and person_id is null and not of_agent
           and ${isAfter}
         ${orderBy} limit $4`,
        [workspaceId, ...values, limit + 1],
      )
      return pageByTime(rows, { limit, toItem: toApiKey })
    },

    /** Newest first, also those of former members. */
    // The label is the original name of the person.
    listMemberKeys: (workspaceId: string): Promise<MemberKey[]> =>
      database.query<MemberKey>(
        `select k.id, coalesce(p.name, k.label) as person_name
         from api_keys k left join people p on p.id = k.person_id
         where k.workspace_id = $1 and k.person_id is not null
         order by k.created_at desc, k.id desc limit $2`,
        [workspaceId, maxListedMemberKeys],
      ),

    /**
     * Undefined when the workspace has no such key. Revoking again changes nothing and has the same result. `personId` is as in
     * `NewApiKey`.
     */
    async revoke(workspaceId: string, keyId: string, personId: string | undefined): Promise<ApiKey | undefined> {
      const [row] = await actAs(database, personId, (transaction) =>
        transaction.query<Row>(
          `update api_keys set revoked_at = coalesce(revoked_at, now())
         where workspace_id = $1 and id = $2 and person_id is null and not of_agent returning ${columns}`,
          [workspaceId, keyId],
        ),
      )
      return row && toApiKey(row)
    },

    /** Adds the key of an Agent, unless it exists. */
    async addOfAgent(workspaceId: string, agentId: string): Promise<void> {
      await database.query(
        `insert into api_keys (id, workspace_id, label, prefix, of_agent)
         select $2, id, 'Visitors', '', true from workspaces where id = $1
         on conflict do nothing`,
        [workspaceId, agentId],
      )
    },

    /** The keys among these that may no longer be used, each with the reason. */
    findEnded: (keyIds: readonly string[]): Promise<EndedKey[]> =>
      database.query<EndedKey>(
        `select asked.id as key_id,
           case when k.id is null or k.revoked_at is not null then 'unauthorized' else 'organization_suspended' end as code
         from unnest($1::uuid[]) as asked (id)
           left join api_keys k on k.id = asked.id left join workspaces w on w.id = k.workspace_id
         where k.id is null or k.revoked_at is not null or w.suspended`,
        [keyIds],
      ),

    /** Keys may occur more than once. A last use never moves backwards or into the future. */
    async recordUses(uses: ReadonlyArray<{ key_id: string; last_used_at: string }>): Promise<void> {
      // Rows are locked in one order, so that the batches of two gateways cannot deadlock.
      await database.query(
        `with used as (
           select id, least(max(at), now()) as at from unnest($1::uuid[], $2::timestamptz[]) as u (id, at) group by id
         ), locked as (
           select k.id from api_keys k join used using (id) order by k.id for no key update of k
         )
         update api_keys k set last_used_at = used.at from used join locked using (id)
         where k.id = used.id and (k.last_used_at is null or k.last_used_at < used.at)`,
        [uses.map(({ key_id }) => key_id), uses.map(({ last_used_at }) => last_used_at)],
      )
    },
  }
}

export type ApiKeyRepository = ReturnType<typeof createApiKeyRepository>
