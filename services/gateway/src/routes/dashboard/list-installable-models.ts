import { installableModelSchema, recommendedModelsSchema } from '@parlance/contracts'
import { z } from 'zod'
import { respond } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { json, operator, type Route } from '../route.js'

const query = z.object({
  languages: z
    .string()
    .max(500)
    .default('')
    .meta({ description: 'BCP 47 tags, separated by commas, the preferred one first.' }),
})
const reply = z.object({
  models: z.array(installableModelSchema.meta({ id: 'InstallableModel' })),
  recommended: recommendedModelsSchema,
})

export const listInstallableModels: Route = {
  method: 'get',
  path: '/dashboard/api/operator/model-catalog',
  authentication: operator,
  operationId: 'listInstallableModels',
  tag: 'Operations',
  summary: 'List the models that can be installed, with their licenses and those that suit this machine',
  request: { query },
  responses: { 200: json('OK', reply) },
  createHandler: ({ modelAdministration }) =>
    respond(200, async (req) => {
      const { languages } = parseRequest(query, req.query)
      const tags = languages.split(',').filter((tag) => tag !== '')
      return {
        models: (await modelAdministration?.listInstallable()) ?? [],
        recommended: (await modelAdministration?.recommend(tags)) ?? { tts: null, stt: null },
      }
    }),
}
