import { catalogContract, languageTagSchema, voicePageSchema, voiceSchema } from '@parlance/contracts'
import { z } from 'zod'
import { forward } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { pageQuerySchema } from '../../openapi/parameters.js'
import { apiKey, json, type Route } from '../route.js'

const query = pageQuerySchema.extend({
  language: languageTagSchema.optional().meta({
    description: 'A BCP 47 tag. Keeps the voices that speak it: `en` keeps `en-GB` too, `en-GB` keeps only that.',
    example: 'en',
  }),
})

const page = voicePageSchema.extend({ voices: z.array(voiceSchema.meta({ id: 'Voice' })) })

/**
 * The reply of the catalog is forwarded as bytes, because parsing and printing it would cost more than the rest of the
 * request.
 */
export const listVoices: Route = {
  method: 'get',
  path: '/v1/voices',
  authentication: apiKey(),
  operationId: 'listVoices',
  tag: 'Catalogs',
  summary: 'List the voices',
  request: { query },
  responses: { 200: json('The voices of the running engines, the best first.', page) },
  calls: [catalogContract.methods.listVoices],

  createHandler: ({ catalog }) =>
    forward(async (req) => {
      const { context } = req
      const request = parseRequest(query, req.query)
      return catalog.raw.listVoices(request, { context })
    }),
}
