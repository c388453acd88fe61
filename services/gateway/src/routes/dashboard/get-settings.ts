import { readFileSync } from 'node:fs'
import type { CallOptions } from '@parlance/bus'
import {
  authContract,
  listedRecognizerSchema,
  offeringEngineSchema,
  ServiceError,
  workspaceSchema,
} from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import type { GatewayEnv } from '../../env.js'
import { respond } from '../../http/json-response.js'
import { json, member, type Route, type RouteDependencies } from '../route.js'

/** Settings that are the same for all workspaces. */
export interface Installation {
  /** The version of Parlance. */
  readonly version: string
  /** The kind of keys that it accepts: for production or for development. */
  readonly keyEnvironment: GatewayEnv['API_KEY_ENVIRONMENT']
  /** How many requests a workspace may send in a minute; 0 for no limit. */
  readonly requestsPerMinute: number
}

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
)

export const installationOf = ({
  API_KEY_ENVIRONMENT,
  RATE_LIMIT_PER_MINUTE,
}: Pick<GatewayEnv, 'API_KEY_ENVIRONMENT' | 'RATE_LIMIT_PER_MINUTE'>): Installation => ({
  version,
  keyEnvironment: API_KEY_ENVIRONMENT,
  requestsPerMinute: RATE_LIMIT_PER_MINUTE,
})

/** A service that the gateway calls, and whether it responds. */
interface ServiceState {
  readonly name: string
  readonly isUp: boolean
}

type Services = Pick<
  RouteDependencies,
  'agents' | 'auth' | 'catalog' | 'credit' | 'memory' | 'sessions' | 'transcription' | 'webhooks'
>

type Read = (services: Services, workspaceId: string, options: CallOptions) => Promise<unknown>

/** An end user that does not exist in any workspace. */
const unknownUser = '00000000-0000-4000-8000-000000000000'

/** A cheap read of each service. */
const reads: Readonly<Record<string, Read>> = {
  agents: ({ agents }, workspace_id, options) => agents.listAgents({ workspace_id, limit: 1 }, options),
  auth: ({ auth }, workspace_id, options) => auth.getWorkspace({ workspace_id }, options),
  catalog: ({ catalog }, _, options) => catalog.listEngines({}, options),
  'end-users': ({ memory }, workspace_id, options) =>
    memory.listMemories({ workspace_id, end_user_id: unknownUser, limit: 1 }, options),
  sessions: ({ sessions }, workspace_id, options) => sessions.listSessions({ workspace_id, limit: 1 }, options),
  tokens: ({ credit }, workspace_id, options) => credit.getBalance({ workspace_id }, options),
  webhooks: ({ webhooks }, workspace_id, options) => webhooks.listWebhooks({ workspace_id, limit: 1 }, options),
}

const answers = async (call: Promise<unknown>): Promise<boolean> => {
  try {
    await call
    return true
  } catch (error) {
    // Any other error is a response too.
    return error instanceof ServiceError && !['unavailable', 'upstream_timeout'].includes(error.code)
  }
}

const deadlineMs = 2_000

/** Calls each service, and resolves when the last one has responded or its call has timed out. */
const findServiceStates = (
  services: Services,
  workspaceId: string,
  options: Pick<CallOptions, 'context'>,
): Promise<ServiceState[]> =>
  Promise.all(
    Object.entries(reads).map(async ([name, read]) => ({
      name,
      isUp: await answers(read(services, workspaceId, { ...options, deadlineMs })),
    })),
  )

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
