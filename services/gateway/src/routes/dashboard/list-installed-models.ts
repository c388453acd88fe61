import { installedModelSchema } from '@parlance/contracts'
import { z } from 'zod'
import { respond } from '../../http/json-response.js'
import { json, operator, type Route } from '../route.js'

const reply = z.object({
  is_managed: z.boolean().meta({ description: 'Whether this process can install and remove models.' }),
  models: z.array(installedModelSchema.meta({ id: 'InstalledModel' })),
})

export const listInstalledModels: Route = {
  method: 'get',
  path: '/dashboard/api/operator/models',
  authentication: operator,
  operationId: 'listInstalledModels',
  tag: 'Operations',
  summary: 'List the models that are installed',
  responses: { 200: json('OK', reply) },
  createHandler: ({ modelAdministration }) =>
    respond(200, async () => {
      const models = (await modelAdministration?.listInstalled()) ?? []
      return { is_managed: modelAdministration !== undefined, models }
    }),
}
