import { z } from 'zod'
import { forward } from '../../http/json-response.js'
import { allVoices } from '../catalog/listed-models.js'
import { apiKey, json, type Route } from '../route.js'

const list = z.object({
  voices: z.array(
    z.object({ id: z.string(), name: z.string() }).meta({
      description: '`POST /v1/audio/speech` takes both as its `voice`.',
    }),
  ),
})

export const listVoicesAsOpenWebui: Route = {
  method: 'get',
  path: '/v1/audio/voices',
  authentication: apiKey(),
  operationId: 'listVoicesAsOpenWebui',
  tag: 'Speech',
  summary: 'List the voices by id and name',
  description: 'For Open WebUI. `GET /v1/voices` lists the same voices in the same order, with all their properties.',
  responses: { 200: json('All voices, the best first.', list) },

  createHandler: ({ catalog }) =>
    forward(async ({ context }) => {
      const voices = await allVoices(catalog, { context })
      const listed = voices.map(({ id, display_name: name }) => ({ id, name }))
      return JSON.stringify({ voices: listed })
    }),
}
