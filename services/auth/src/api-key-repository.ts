import type { ApiKey, EndedKey, KeyDigest, Principal } from '@parlance/contracts'
import type { Database } from '@parlance/store'

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

export interface NewApiKey {
  workspaceId: string
  label: string
  prefix: string
  digests: readonly KeyDigest[]
}

export interface ApiKeyRepository {
  /** Undefined when there is no such workspace. */
  create(key: NewApiKey): Promise<ApiKey | undefined>
  /** Newest first. */
  list(workspaceId: string): Promise<ApiKey[]>
  /** Undefined when the workspace has no such key. Revoking again changes nothing and answers the same. */
  revoke(workspaceId: string, keyId: string): Promise<ApiKey | undefined>
  /** The holder of the key with one of these digests, if it is not revoked, and those of the digests that are stored. */
  findPrincipal(digests: readonly string[]): Promise<{ principal: Principal; known: string[] } | undefined>
  /** Those of these keys that may no longer be used, each with the reason. */
  findEnded(keyIds: readonly string[]): Promise<EndedKey[]>
  /** Stores another digest of a key, unless the key is revoked. */
  addDigest(keyId: string, digest: KeyDigest): Promise<void>
  digestsOfKey(workspaceId: string, keyId: string): Promise<string[]>
  /** The digests of the active keys, and of those that were revoked within so many ms. */
  digestsOfKeys(workspaceId: string, revokedWithinMs: number): Promise<{ active: string[]; revoked: string[] }>
  /** Keys may occur more than once. A last use never moves back, nor into the future. */
  recordUses(uses: ReadonlyArray<{ key_id: string; last_used_at: string }>): Promise<void>
}

export const createApiKeyRepository = (database: Database): ApiKeyRepository => {
  return {
    async create({ workspaceId, label, prefix, digests }) {
      const [row] = await database.query<Row>(
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
    },

    async list(workspaceId) {
      const rows = await database.query<Row>(
        `select ${columns} from api_keys where workspace_id = $1 order by created_at desc, id`,
        [workspaceId],
      )
      return rows.map(toApiKey)
    },

    async revoke(workspaceId, keyId) {
      const [row] = await database.query<Row>(
        `update api_keys set revoked_at = coalesce(revoked_at, now())
         where workspace_id = $1 and id = $2 returning ${columns}`,
        [workspaceId, keyId],
      )
      return row && toApiKey(row)
    },

    async findPrincipal(wanted) {
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

    findEnded: (keyIds) =>
      database.query<EndedKey>(
        `select asked.id as key_id,
           case when k.id is null or k.revoked_at is not null then 'unauthorized' else 'organization_suspended' end as code
         from unnest($1::uuid[]) as asked (id)
           left join api_keys k on k.id = asked.id left join workspaces w on w.id = k.workspace_id
         where k.id is null or k.revoked_at is not null or w.suspended`,
        [keyIds],
      ),

    async addDigest(keyId, { digest, pepper_version }) {
      // The lock orders this and a revocation: either the revocation finds the new digest, or this finds the key revoked.
      await database.query(
        `insert into api_key_digests (digest, key_id, pepper_version)
         select $2, id, $3 from api_keys where id = $1 and revoked_at is null for share
         on conflict do nothing`,
        [keyId, digest, pepper_version],
      )
    },

    async digestsOfKey(workspaceId, keyId) {
      const rows = await database.query<{ digest: string }>(
        `select digest from api_key_digests join api_keys on api_keys.id = key_id where workspace_id = $1 and key_id = $2`,
        [workspaceId, keyId],
      )
      return rows.map(({ digest }) => digest)
    },

    async digestsOfKeys(workspaceId, revokedWithinMs) {
      const rows = await database.query<{ digest: string; active: boolean }>(
        `select digest, revoked_at is null as active
         from api_key_digests join api_keys on api_keys.id = key_id
         where workspace_id = $1 and (revoked_at is null or revoked_at > now() - $2 * interval '1 ms')`,
        [workspaceId, revokedWithinMs],
      )
      const digestsOf = (wanted: boolean) => rows.flatMap(({ digest, active }) => (active === wanted ? [digest] : []))
      return { active: digestsOf(true), revoked: digestsOf(false) }
    },

    async recordUses(uses) {
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
