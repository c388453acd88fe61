import { idSchema, passwordSchema, peopleContract, personSchema } from '@parlance/contracts'
import { z } from 'zod'
import { parseBody } from '../../http/json-body.js'
import { respond } from '../../http/json-response.js'
import { json, jsonBody, noAuthentication, type Route } from '../route.js'
import { invitationIdOf, invitationParameters } from './get-invitation.js'

const newPersonSchema = z.strictObject({
  name: personSchema.shape.name,
  password: passwordSchema,
  token: idSchema.optional().meta({
    description:
      'The token of the link. It proves that the address belongs to the person, and is required when invitations are mailed.',
  }),
})
const example = { name: 'Ada', password: 'a long enough password' }

export const createInvitedPerson: Route = {
  method: 'post',
  path: '/dashboard/api/invitations/:invitationId/person',
  authentication: noAuthentication,
  operationId: 'createInvitedPerson',
  tag: 'People',
  summary: 'Make the account that an invitation is for',
  request: { params: invitationParameters, body: jsonBody(newPersonSchema, { example: { value: example } }) },
  responses: { 201: json('The person, who can sign in and accept the invitation now.', personSchema) },
  calls: [peopleContract.methods.createInvitedPerson],
  createHandler: ({ people }) =>
    respond(201, async (req) => {
      const invitation_id = invitationIdOf(req)
      const person = await parseBody(newPersonSchema, req)
      return people.createInvitedPerson({ invitation_id, ...person }, { context: req.context })
    }),
}
