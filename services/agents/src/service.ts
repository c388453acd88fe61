import { createClient, serve } from '@parlance/bus'
import { startAuditRelay } from '@parlance/clients/outbox'
import { agentsContract, auditContract, catalogContract } from '@parlance/contracts'
import type { Service } from '@parlance/runtime'
import { z } from 'zod'
import { createAgentRepository } from './agent-repository.js'
import { createAgentsHandlers } from './handlers.js'
import { createPublicationRepository } from './publication-repository.js'
import { createPublishCheck } from './publish-check.js'
import { createRevisionRepository } from './revision-repository.js'

const schema = { schema: 'agents', migrations: new URL('../migrations/', import.meta.url) }

export const agents: Service = {
  name: 'agents',
  needs: ['bus', 'database'],
  databases: [schema],
  env: z.object({}),
  async start(platform) {
    const database = await platform.openDatabase(schema)
    const handlers = createAgentsHandlers({
      agents: createAgentRepository(database),
      revisions: createRevisionRepository(database),
      publications: createPublicationRepository(database),
      checkPublish: createPublishCheck(createClient(platform.bus, catalogContract)),
    })
    const served = await serve(platform.bus, agentsContract, handlers, platform)
    const { bus, logger } = platform
    const auditRelay = startAuditRelay({ database, audit: createClient(bus, auditContract), logger })
    return {
      ready: () => database.ready(),
      async stop() {
        await served.stop()
        await auditRelay.stop()
        await database.close()
      },
    }
  },
}
