import { accountPath } from '@parlance/contracts'
import { z } from 'zod'
import { json, jsonBody } from '../../openapi/content.js'
import { accountErrors } from '../../openapi/error-codes.js'
import { noAuthentication, type Route } from '../route.js'
import { forwardAccountRequest } from './forwarded-account-request.js'

const example = { email: 'ada@example.com', password: 'a long enough password' }

export const changeAccount: Route = {
  method: 'post',
  path: `${accountPath}/*path`,
  authentication: noAuthentication,
  operationId: 'changeAccount',
  tag: 'People',
  summary: 'Sign in or out, change the account, invite or remove members',
  description: 'The path and the body are those of better-auth. Requests from pages of other origins are refused.',
  request: {
    params: z.object({ path: z.string() }),
    body: jsonBody(z.record(z.string(), z.unknown()), { '/sign-in/email': { value: example } }),
  },
  responses: { 200: json('OK', z.unknown()) },
  errors: accountErrors,
  createHandler: forwardAccountRequest('POST'),
}
