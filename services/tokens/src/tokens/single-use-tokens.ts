/**
 * Tokens of one kind, each valid for one use until it expires.
 *
 * - Only the SHA-256 of a token is stored, so the store, the database and the logs contain nothing that could be presented.
 * - Exactly one caller consumes a token: a unique row in Postgres decides. A mark in the TTL store, written after the row, saves
 *   later callers the query; losing it changes nothing.
 * - Every check compares `expires_at` with the clock; the presence of a record does not show that the token is valid.
 * - The record is kept for a while after its token has expired, so that late callers get `expired` and not `invalid`.
 */
import { createHash } from 'node:crypto'
import { createSecretText, isSecretText } from '@parlance/clients/api-key'
import {
  type ListenGrant,
  listenGrantSchema,
  type SessionGrant,
  type StreamGrant,
  sessionGrantSchema,
  streamGrantSchema,
} from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import type { z } from 'zod'
import type { Consumption, ConsumptionRepository } from './consumption-repository.js'

interface TokenKind<Grant> {
  readonly name: Consumption['kind']
  /** The first characters of its tokens. */
  readonly prefix: string
  readonly validForMs: number
  readonly grantSchema: z.ZodType<Grant>
}

/** The fields that all kinds of grants have. */
interface AnyGrant {
  readonly workspace_id: string
  readonly expires_at: string
}

interface SingleUseTokensOptions {
  ttl: Pick<TtlStore, 'get' | 'set'>
  consumptions: Pick<ConsumptionRepository, 'insert' | 'has'>
  /** In ms since 1970. */
  now?: () => number
}

const keptAfterExpiryMs = 60 * 60 * 1000

const digest = (token: string) => createHash('sha256').update(token).digest()
const recordKey = (hash: Buffer) => `tokens:{${hash.toString('hex')}}`
const markKey = (hash: Buffer) => `tokens:{${hash.toString('hex')}}:used`

/** Every method rejects with `unavailable` while a store that it needs cannot be reached. */
export const createSingleUseTokens = <Grant extends AnyGrant>(
  kind: TokenKind<Grant>,
  { ttl, consumptions, now = Date.now }: SingleUseTokensOptions,
) => {
  const consumptionOf = (tokenHash: Buffer, grant: Grant): Consumption => ({
    workspaceId: grant.workspace_id,
    tokenHash,
    kind: kind.name,
    expiresAt: grant.expires_at,
  })

  return {
    /** `validForMs` is that of the kind unless it is given. */
    async issue(
      grant: Omit<Grant, 'expires_at'>,
      validForMs: number = kind.validForMs,
    ): Promise<{ token: string; expires_at: string }> {
      const token = createSecretText(kind.prefix)
      const expires_at = new Date(now() + validForMs).toISOString()
      const record = JSON.stringify({ ...grant, expires_at })
      await ttl.set(recordKey(digest(token)), record, validForMs + keptAfterExpiryMs)
      return { token, expires_at }
    },

    /** Undefined for a text that never was a token, or expired long ago. Finds consumed and expired tokens. */
    async find(token: string): Promise<Grant | undefined> {
      if (!isSecretText(kind.prefix, token)) return undefined
      const record = await ttl.get(recordKey(digest(token)))
      return record === null ? undefined : kind.grantSchema.parse(JSON.parse(record))
    },

    hasExpired: ({ expires_at }: Grant): boolean => Date.parse(expires_at) <= now(),

    async isConsumed(token: string, grant: Grant): Promise<boolean> {
      const tokenHash = digest(token)
      if ((await ttl.get(markKey(tokenHash))) !== null) return true
      return consumptions.has(consumptionOf(tokenHash, grant))
    },

    /** False when the token was consumed before. */
    async consume(token: string, grant: Grant): Promise<boolean> {
      const tokenHash = digest(token)
      const mark = markKey(tokenHash)
      if ((await ttl.get(mark)) !== null) return false
      const consumed = await consumptions.insert(consumptionOf(tokenHash, grant))
      const keptForMs = Date.parse(grant.expires_at) + keptAfterExpiryMs - now()
      await ttl.set(mark, '1', keptForMs).catch(() => {})
      return consumed
    },
  }
}

export type SingleUseTokens<Grant extends AnyGrant> = ReturnType<typeof createSingleUseTokens<Grant>>

const minutes = (count: number) => count * 60_000

/** Starts one conversation with one Agent. */
export const sessionTokenKind: TokenKind<SessionGrant> = {
  name: 'session',
  prefix: 'awst_',
  validForMs: minutes(15),
  grantSchema: sessionGrantSchema,
}

/** Opens one connection that streams speech. */
export const streamTokenKind: TokenKind<StreamGrant> = {
  name: 'stream',
  prefix: 'awtt_',
  validForMs: minutes(2),
  grantSchema: streamGrantSchema,
}

/** Opens one connection that recognizes speech. */
export const listenTokenKind: TokenKind<ListenGrant> = {
  name: 'stream',
  prefix: 'awlt_',
  validForMs: minutes(2),
  grantSchema: listenGrantSchema,
}
