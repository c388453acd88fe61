import { accountPath } from '@parlance/contracts'
import type { RequestHandler } from 'express'
import { z } from 'zod'
import { prefersPage } from '../../http/acceptable.js'
import { guardHeaders } from '../../http/json-response.js'
import { accountErrors } from '../../openapi/error-codes.js'
import { noAuthentication, type Route } from '../route.js'
import { forwardAccountRequest } from './change-account.js'

/**
 * Middleware that redirects a browser to the page "Sign in" when its request fails: it followed a link or returned from an
 * identity provider. The page explains the code in its parameter `error`.
 */
const returnToSignIn: RequestHandler = (req, res, next) => {
  if (prefersPage(req)) {
    res.beginWithError = ({ code }) => {
      const location = `/sign-in?${new URLSearchParams({ error: code })}`
      const headers = ['location', location, 'cache-control', 'no-store', 'x-request-id', req.id]
      res.writeHead(302, [...headers, ...guardHeaders, 'content-length', '0']).end()
    }
  }
  next()
}

export const readAccount: Route = {
  method: 'get',
  path: `${accountPath}/*path`,
  authentication: noAuthentication,
  operationId: 'readAccount',
  tag: 'People',
  summary: 'Read about the account, or follow a link that was sent',
  request: { params: z.object({ path: z.string() }) },
  responses: {
    200: { description: 'OK', content: { 'application/json': { schema: z.unknown() } } },
    302: {
      description:
        'The link was followed, and the cookies are set. A browser whose link failed goes to the page "Sign in".',
    },
  },
  errors: accountErrors,
  createHandler: (options) => [returnToSignIn, forwardAccountRequest('GET')(options)],
}
