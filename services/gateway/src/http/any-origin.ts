import type { RequestHandler } from 'express'

const allowed = ['access-control-allow-origin', '*']
const readable = [
  'access-control-expose-headers',
  'x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset',
]
const preflightKeptSeconds = 7_200

/** For what browsers call with a token: any page may, and reads the answer, errors too. Nothing here goes by cookies. */
export const allowAnyOrigin: RequestHandler = (_req, res, next) => {
  res.addedHeaders = [...res.addedHeaders, ...allowed, ...readable]
  next()
}

/** Beside those, what a browser is told that asks before it sends a request of one of these methods. */
export const preflightHeaders = (methods: readonly string[]): readonly string[] => [
  ...['access-control-allow-methods', methods.join(', ')],
  ...['access-control-allow-headers', 'authorization, content-type, idempotency-key, x-request-id'],
  ...['access-control-max-age', String(preflightKeptSeconds)],
]
