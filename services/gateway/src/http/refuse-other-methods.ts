import { ServiceError } from '@parlance/contracts'
import type { RequestHandler } from 'express'
import { preflightHeaders } from './any-origin.js'
import { sendError } from './error-response.js'

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
