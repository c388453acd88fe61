import { accountPath } from '@parlance/contracts'
import { z } from 'zod'
import { accountErrors } from '../../openapi/error-codes.js'
import { noAuthentication, type Route } from '../route.js'
import { forwardAccountRequest } from './forwarded-account-request.js'

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
    302: { description: 'The link was followed. The cookies are set.' },
  },
  errors: accountErrors,
  createHandler: forwardAccountRequest('GET'),
}
