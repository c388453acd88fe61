import { createClient, serve } from '@parlance/bus'
import { type ApiKeyEnv, apiKeyEnv } from '@parlance/clients/api-key'
import { authContract } from '@parlance/contracts'
import type { Service } from '@parlance/runtime'
import { createApiKeyRepository } from './api-key-repository.js'
import { createAuthHandlers } from './handlers.js'
import { createWorkspaceRepository } from './workspace-repository.js'

const schema = { schema: 'auth', migrations: new URL('../migrations/', import.meta.url) }

export const auth: Service<ApiKeyEnv> = {
  name: 'auth',
  needs: ['bus', 'ttl', 'database'],
  databases: [schema],
  env: apiKeyEnv,
  async start(platform, env) {
    const database = await platform.openDatabase(schema)
    const handlers = createAuthHandlers({
      workspaces: createWorkspaceRepository(database),
      keys: createApiKeyRepository(database),
      ttl: platform.ttl,
      peppers: env.API_KEY_PEPPERS,
      environment: env.API_KEY_ENVIRONMENT,
      standingChanged: createClient(platform.bus, authContract).standingChanged,
    })
    const served = await serve(platform.bus, authContract, handlers, platform)
    return {
      ready: () => database.ready(),
      async stop() {
        await served.stop()
        await database.close()
      },
    }
  },
}
