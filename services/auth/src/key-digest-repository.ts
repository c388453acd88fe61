import type { KeyDigest, Principal } from '@parlance/contracts'
import type { Database } from '@parlance/store'

/** The digests of API keys. The keys themselves are not stored. */
export interface KeyDigestRepository {
  /** The workspace of the key with one of these digests, unless it is revoked, and which of the digests are stored. */
  findPrincipal(digests: readonly string[]): Promise<{ principal: Principal; known: string[] } | undefined>
  /** Stores another digest of a key, unless the key is revoked. */
  addDigest(keyId: string, digest: KeyDigest): Promise<void>
  digestsOfKey(workspaceId: string, keyId: string): Promise<string[]>
  /** The digests of the active keys, and of keys that were revoked within this number of ms. */
  digestsOfKeys(workspaceId: string, revokedWithinMs: number): Promise<{ active: string[]; revoked: string[] }>
}

export const createKeyDigestRepository = (database: Database): KeyDigestRepository => ({
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
})
