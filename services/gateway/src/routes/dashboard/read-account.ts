import { accountPath } from '@parlance/contracts'
import { z } from 'zod'
import { accountErrors } from '../../openapi/error-codes.js'
import { noAuthentication, type Route } from '../route.js'
import { forwardAccountRequest } from './forwarded-account-request.js'
import { returnToSignIn } from './return-to-sign-in.js'

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
