import { avatarPageSchema, avatarSchema, catalogContract } from '@parlance/contracts'
import { z } from 'zod'
import { jsonOnly, requireAcceptable } from '../../http/acceptable.js'
import { privateNoCache, sendJson } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { json } from '../../openapi/content.js'
import { pageQuerySchema } from '../../openapi/parameters.js'
import { apiKey, type Route } from '../route.js'

const page = avatarPageSchema.extend({ avatars: z.array(avatarSchema.meta({ id: 'Avatar' })) })

const wholeList = {}

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

  createHandler:
    ({ catalog }) =>
    async (req, res) => {
      requireAcceptable(req, jsonOnly)
      const request = req.url.includes('?') ? parseRequest(pageQuerySchema, req.query) : wholeList
      sendJson(req, res, await catalog.raw.listAvatars(request, { context: req.context }), privateNoCache)
    },
}
