import { type Database, removeInBatches } from '@parlance/store'

export interface Consumption {
  readonly workspaceId: string
  /** SHA-256. */
  readonly tokenHash: Buffer
  readonly kind: 'session' | 'stream'
  /** The expiry time of the token; ISO 8601. */
  readonly expiresAt: string
}

/** Tokens that were used. Every method rejects with `unavailable` while Postgres cannot be reached. */
export interface ConsumptionRepository {
  /** True for exactly one caller, ever. */
  insert(consumption: Consumption): Promise<boolean>
  has(consumption: Pick<Consumption, 'workspaceId' | 'tokenHash'>): Promise<boolean>
  /** Removes tokens that expired longer ago than this, in any workspace. */
  removeExpired(longerThanMs: number, signal?: AbortSignal): Promise<number>
}

export const createConsumptionRepository = (database: Database): ConsumptionRepository => ({
  async insert({ workspaceId, tokenHash, kind, expiresAt }) {
    const inserted = await database.inWorkspace(workspaceId, (transaction) =>
      transaction.query(
        `insert into consumed_tokens (workspace_id, token_hash, kind, expires_at) values ($1, $2, $3, $4)
         on conflict do nothing returning kind`,
        [workspaceId, tokenHash, kind, expiresAt],
      ),
    )
    return inserted.length === 1
  },

  async has({ workspaceId, tokenHash }) {
    const found = await database.inWorkspace(workspaceId, (transaction) =>
      transaction.query('select kind from consumed_tokens where workspace_id = $1 and token_hash = $2', [
        workspaceId,
        tokenHash,
      ]),
    )
    return found.length === 1
  },

  removeExpired: (longerThanMs, signal) =>
    removeInBatches(
      database,
      {
        from: 'consumed_tokens t',
        where: `t.expires_at < now() - $1 * interval '1 ms'`,
        parameters: [longerThanMs],
      },
      signal,
    ),
})
