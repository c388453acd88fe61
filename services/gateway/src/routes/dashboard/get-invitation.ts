import { peopleContract } from '@parlance/contracts'
import type { Request } from 'express'
import { z } from 'zod'
import { respond } from '../../http/json-response.js'
import { idParameterOf } from '../../http/parsed-request.js'
import { json, noAuthentication, type Route } from '../route.js'

export const invitationParameters = z.object({ invitationId: z.uuid() })

/** The invitation in a path. Throws `not_found` when the parameter is not a UUID. */
export const invitationIdOf = (req: Request): string =>
  idParameterOf(req, 'invitationId', 'not_found', 'There is no such invitation.')

export const getInvitation: Route = {
  method: 'get',
  path: '/dashboard/api/invitations/:invitationId',
  authentication: noAuthentication,
  operationId: 'getInvitation',
  tag: 'People',
  summary: 'Read an invitation',
  request: { params: invitationParameters },
  responses: { 200: json('OK', peopleContract.methods.getInvitation.reply) },
  calls: [peopleContract.methods.getInvitation],
  errors: ['invalid_request'],
  createHandler: ({ people }) =>
    respond(200, async (req) => {
      const invitation_id = invitationIdOf(req)
      return people.getInvitation({ invitation_id }, { context: req.context })
    }),
}
