import { membershipSchema, peopleContract, personSchema } from '@parlance/contracts'
import { z } from 'zod'
import { respond } from '../../http/json-response.js'
import { json, noAuthentication, type Route } from '../route.js'

const signedInSchema = z
  .object({ person: personSchema, workspaces: z.array(membershipSchema), is_operator: z.boolean() })
  .meta({ id: 'SignedIn' })

export const getSignedIn: Route = {
  method: 'get',
  path: '/dashboard/api/signed-in',
  authentication: noAuthentication,
  operationId: 'getSignedIn',
  tag: 'People',
  summary: 'Read the person who is signed in, with their workspaces and role in each',
  responses: { 200: json('OK', signedInSchema) },
  calls: [peopleContract.methods.getSignedIn],
  createHandler: ({ people }) =>
    respond(200, async (req) => {
      const cookie = req.headers.cookie ?? ''
      return people.getSignedIn({ cookie }, { context: req.context })
    }),
}
