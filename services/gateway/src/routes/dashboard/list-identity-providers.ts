import { peopleContract } from '@parlance/contracts'
import { respond } from '../../http/json-response.js'
import { json, noAuthentication, type Route } from '../route.js'

export const listIdentityProviders: Route = {
  method: 'get',
  path: '/dashboard/api/identity-providers',
  authentication: noAuthentication,
  operationId: 'listIdentityProviders',
  tag: 'People',
  summary: 'List the ways to sign in besides a password',
  responses: { 200: json('OK', peopleContract.methods.listIdentityProviders.reply) },
  calls: [peopleContract.methods.listIdentityProviders],
  createHandler: ({ people }) => respond(200, (req) => people.listIdentityProviders({}, { context: req.context })),
}
