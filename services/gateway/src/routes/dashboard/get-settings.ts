import { authContract, listedRecognizerSchema, offeringEngineSchema, workspaceSchema } from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { respond } from '../../http/json-response.js'
import { findServiceStates } from '../../installation/service-states.js'
import { json } from '../../openapi/content.js'
import { member, type Route } from '../route.js'

const settingsSchema = z
  .object({
    workspace: workspaceSchema,
    requests_per_minute: z.int().min(0).meta({ description: 'The limit of the workspace; 0 for no limit.' }),
    installation: z.object({
      version: z.string(),
      key_environment: z.enum(['prd', 'dev']),
      services: z.array(z.object({ name: z.string(), up: z.boolean() })),
      engines: z.array(offeringEngineSchema),
      recognizers: z.array(listedRecognizerSchema),
    }),
  })
  .meta({ id: 'Settings' })

export const getSettings: Route = {
  method: 'get',
  path: '/dashboard/api/settings',
  authentication: member('member'),
  operationId: 'getSettings',
  tag: 'Operations',
  summary: 'Read the workspace with its limits, and the services and engines that are up',
  description:
    'A service that does not answer within two seconds is not up. Its engines and recognizers are then not listed.',
  responses: { 200: json('OK', settingsSchema) },
  calls: [authContract.methods.getWorkspace],
  createHandler: (dependencies) =>
    respond(200, async (req) => {
      const { auth, catalog, transcription, installation } = dependencies
      const { workspace_id } = principalOf(req)
      const options = { context: req.context }
      const [workspace, services, { engines }, { recognizers }] = await Promise.all([
        auth.getWorkspace({ workspace_id }, options),
        findServiceStates(dependencies, workspace_id, options),
        catalog.listEngines({}, options).catch(() => ({ engines: [] })),
        transcription.listRecognizers({}, options).catch(() => ({ recognizers: [] })),
      ])
      return {
        workspace,
        requests_per_minute: installation.requestsPerMinute,
        installation: {
          version: installation.version,
          key_environment: installation.keyEnvironment,
          services: services.map(({ name, isUp }) => ({ name, up: isUp })),
          engines,
          recognizers,
        },
      }
    }),
}
