import { ServiceError } from '@parlance/contracts'
import type { RequestHandler } from 'express'
import { sendError } from './error-response.js'

const allowed = ['access-control-allow-origin', '*']
const readable = [
  'access-control-expose-headers',
  'x-request-id, location, x-parlance-ignored, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset',
]
const preflightMaxAgeSeconds = 7_200

/** Lets pages of any origin read the response, errors included. The routes use tokens and no cookies, so this is safe. */
export const allowAnyOrigin: RequestHandler = (_req, res, next) => {
  res.addHeaders([...allowed, ...readable])
  next()
}

/** The headers of the response to a preflight request, beside those of `allowAnyOrigin`. */
const preflightHeaders = (methods: readonly string[]): readonly string[] => [
  ...['access-control-allow-methods', methods.join(', ')],
  ...['access-control-allow-headers', 'authorization, content-type, idempotency-key, x-request-id, traceparent'],
  ...['access-control-max-age', String(preflightMaxAgeSeconds)],
]

/**
 * Answers OPTIONS with the methods that a path has, and every other request with `method_not_allowed`. `anyOrigin` allows pages
 * of other origins to use the methods.
 */
export const refuseOtherMethods = (methods: readonly string[], anyOrigin = false): RequestHandler => {
  const allow = ['allow', [...methods, 'OPTIONS'].join(', ')]
  const preflight = anyOrigin ? preflightHeaders(methods) : []
  const refusal = new ServiceError('method_not_allowed', `Only ${methods.join(' and ')} can be used here.`)
  return (req, res) => {
    if (req.method === 'OPTIONS') res.writeHead(204, ['x-request-id', req.id, ...allow, ...preflight]).end()
    else sendError(req, res, refusal, allow)
  }
}
