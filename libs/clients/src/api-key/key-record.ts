/**
 * What gateways learn about a key from auth, through the TTL store.
 *
 * - `active` is written only where there is no record. So an answer that was read before a revocation, and arrives after it,
 *   cannot undo it.
 * - `revoked` and `changed` replace any record, before the call that caused them returns.
 * - Each lifetime is longer than what it guards against: `revoked` outlives any `active` record and any call that could still
 *   write one; `changed` outlives any call that read the workspace before the change.
 */
import { type Principal, principalSchema } from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import { z } from 'zod'

/** How long a key that was found is trusted without asking the auth service, in ms. */
export const activeRecordTtlMs = 60_000
/** How long a revocation stays in the TTL store, in ms: longer than any `active` record it replaces. */
const revokedRecordTtlMs = 3_600_000
/** How long a change stays in the TTL store, in ms. */
const changedRecordTtlMs = 10_000

const keyRecordSchema = z.discriminatedUnion('state', [
  /** `expires_at` is in ms since 1970: a store that keeps a value for too long does not keep a key alive. */
  z.object({ state: z.literal('active'), principal: principalSchema, expires_at: z.number() }),
  z.object({ state: z.literal('revoked') }),
  z.object({ state: z.literal('changed') }),
])
export type KeyRecord = z.infer<typeof keyRecordSchema>

const placeOf = (digest: string): string => `auth:key:${digest}`

/** Undefined when there is no record or it cannot be parsed; auth is then asked. */
export const readKeyRecord = async (ttl: Pick<TtlStore, 'get'>, digest: string): Promise<KeyRecord | undefined> => {
  const text = await ttl.get(placeOf(digest))
  if (text === null) return undefined
  try {
    return keyRecordSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** `readAtMs` is when auth began to read the principal. Returns false when there is another record, which is kept. */
export const writeActiveRecord = (
  ttl: TtlStore,
  digest: string,
  principal: Principal,
  readAtMs: number,
): Promise<boolean> => {
  const record: KeyRecord = { state: 'active', principal, expires_at: readAtMs + activeRecordTtlMs }
  return ttl.setIfAbsent(placeOf(digest), JSON.stringify(record), activeRecordTtlMs)
}

const overwrite = async (ttl: TtlStore, digests: readonly string[], record: KeyRecord, ttlMs: number) => {
  await Promise.all(digests.map((digest) => ttl.set(placeOf(digest), JSON.stringify(record), ttlMs)))
}

/**
 * Marks keys as revoked for every gateway. `digests` are those of `digestOf`. Rejects when the store cannot be reached.
 */
export const writeRevokedRecords = (ttl: TtlStore, digests: readonly string[]): Promise<void> =>
  overwrite(ttl, digests, { state: 'revoked' }, revokedRecordTtlMs)

/** For keys that are not revoked. In place of a `revoked` record it would expire too early. */
export const writeChangedRecords = (ttl: TtlStore, digests: readonly string[]): Promise<void> =>
  overwrite(ttl, digests, { state: 'changed' }, changedRecordTtlMs)
