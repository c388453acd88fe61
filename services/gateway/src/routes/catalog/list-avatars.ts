import { avatarPageSchema, avatarSchema, catalogContract } from '@parlance/contracts'
import { z } from 'zod'
import { forward } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { pageQuerySchema } from '../../openapi/parameters.js'
import { apiKey, json, type Route } from '../route.js'

const page = avatarPageSchema.extend({ avatars: z.array(avatarSchema.meta({ id: 'Avatar' })) })

export const listAvatars: Route = {
  method: 'get',
  path: '/v1/avatars',
  authentication: apiKey(),
  operationId: 'listAvatars',
  tag: 'Catalogs',
  summary: 'List the avatars',
  request: { query: pageQuerySchema },
  responses: { 200: json('The avatars that an Agent can have.', page) },
  calls: [catalogContract.methods.listAvatars],

  createHandler: ({ catalog }) =>
    forward(async (req) => {
      const request = parseRequest(pageQuerySchema, req.query)
      return catalog.raw.listAvatars(request, { context: req.context })
    }),
}
