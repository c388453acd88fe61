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
export const createConsumptionRepository = (database: Database) => ({
  /** True for exactly one caller, ever. */
  async insert({ workspaceId, tokenHash, kind, expiresAt }: Consumption): Promise<boolean> {
    const inserted = await database.inWorkspace(workspaceId, (transaction) =>
      transaction.query(
        `insert into consumed_tokens (workspace_id, token_hash, kind, expires_at) values ($1, $2, $3, $4)
         on conflict do nothing returning kind`,
        [workspaceId, tokenHash, kind, expiresAt],
      ),
    )
    return inserted.length === 1
  },

  async has({ workspaceId, tokenHash }: Pick<Consumption, 'workspaceId' | 'tokenHash'>): Promise<boolean> {
    const found = await database.inWorkspace(workspaceId, (transaction) =>
      transaction.query('select kind from consumed_tokens where workspace_id = $1 and token_hash = $2', [
        workspaceId,
        tokenHash,
      ]),
    )
    return found.length === 1
  },

  /** Removes tokens that expired longer ago than this, in any workspace. */
  removeExpired: (longerThanMs: number, signal?: AbortSignal): Promise<number> =>
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

export type ConsumptionRepository = ReturnType<typeof createConsumptionRepository>
