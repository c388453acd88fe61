import type { RequestHandler } from 'express'

const allowed = ['access-control-allow-origin', '*']
const readable = [
  'access-control-expose-headers',
  'x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset',
]
const preflightMaxAgeSeconds = 7_200

/** Lets pages of any origin read the response, errors included. The routes use tokens and no cookies, so this is safe. */
export const allowAnyOrigin: RequestHandler = (_req, res, next) => {
  res.addedHeaders = [...res.addedHeaders, ...allowed, ...readable]
  next()
}

/** The headers of the response to a preflight request, beside those of `allowAnyOrigin`. */
export const preflightHeaders = (methods: readonly string[]): readonly string[] => [
  ...['access-control-allow-methods', methods.join(', ')],
  ...['access-control-allow-headers', 'authorization, content-type, idempotency-key, x-request-id, traceparent'],
  ...['access-control-max-age', String(preflightMaxAgeSeconds)],
]
