import { type SessionGrant, type StreamGrant, sessionGrantSchema, streamGrantSchema } from '@parlance/contracts'
import type { TokenKind } from './single-use-tokens.js'

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
