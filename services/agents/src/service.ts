import { createClient, serve } from '@parlance/bus'
import { startAuditRelay, startWebhookRelay } from '@parlance/clients/outbox'
import { agentsContract, auditContract, catalogContract, webhooksContract } from '@parlance/contracts'
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
    const relays = [
      startAuditRelay({ database, audit: createClient(bus, auditContract), logger }),
      startWebhookRelay({ database, webhooks: createClient(bus, webhooksContract), logger }),
    ]
    return {
      ready: () => database.ready(),
      async stop() {
        await served.stop()
        await Promise.all(relays.map((relay) => relay.stop()))
        await database.close()
      },
    }
  },
}
