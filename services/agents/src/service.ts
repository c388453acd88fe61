import { createClient, serve } from '@parlance/bus'
import { createModelKeys, modelKeysEnv } from '@parlance/clients/model-keys'
import { startAuditRelay, startWebhookRelay } from '@parlance/clients/outbox'
import {
  agentsContract,
  auditContract,
  catalogContract,
  knowledgeContract,
  languageModelsContract,
  modelProvidersContract,
  phoneNumbersContract,
  webhooksContract,
} from '@parlance/contracts'
import { createEgressGuard, outboundVariables } from '@parlance/egress'
import type { Service } from '@parlance/runtime'
import { z } from 'zod'
import { createAgentRepository } from './agent-repository.js'
import { createAgentsHandlers } from './handlers.js'
import { startIndexer } from './knowledge/indexer.js'
import { createKnowledgeHandlers } from './knowledge/knowledge-handlers.js'
import { createKnowledgeRepository } from './knowledge/knowledge-repository.js'
import { createPhoneNumberHandlers } from './phone-numbers.js'
import { createProviderHandlers } from './providers/provider-handlers.js'
import { createProviderRepository } from './providers/provider-repository.js'
import { createPublicationRepository } from './publication-repository.js'
import { createPublishCheck } from './publish-check.js'
import { resealTable } from './reseal.js'
import { createRevisionRepository } from './revision-repository.js'

const schema = { schema: 'agents', migrations: new URL('../migrations/', import.meta.url) }

const env = z.object({ ...modelKeysEnv, ...outboundVariables })

export const agents: Service<z.infer<typeof env>> = {
  name: 'agents',
  needs: ['bus', 'database'],
  metrics: ['bus', 'store'],
  databases: [schema],
  env,
  async start(platform, { MODEL_PROVIDER_KEYS, OUTBOUND_ALLOW: allow, OUTBOUND_PORTS: ports }) {
    const { bus, logger } = platform
    const keys = createModelKeys(MODEL_PROVIDER_KEYS)
    const database = await platform.openDatabase(schema)
    const providers = createProviderRepository(database)
    const headerKeys = createModelKeys(MODEL_PROVIDER_KEYS, 'headers')
    const phoneKeys = createModelKeys(MODEL_PROVIDER_KEYS, 'phone')
    const resealed =
      (await resealTable(database, 'model_providers', keys.reseal)) +
      (await resealTable(database, 'sealed_headers', headerKeys.reseal)) +
      (await resealTable(database, 'phone_numbers', phoneKeys.reseal))
    if (resealed > 0)
      logger.info(
        { count: resealed },
        'Keys of model providers, headers of MCP servers and auth tokens were sealed under the current master key',
      )
    const agentRepository = createAgentRepository(database)
    const knowledge = createKnowledgeRepository(database)
    const handlers = createAgentsHandlers({
      guard: createEgressGuard({ allow, ports }),
      headerKeys,
      agents: agentRepository,
      revisions: createRevisionRepository(database),
      publications: createPublicationRepository(database),
      checkPublish: createPublishCheck({ catalog: createClient(bus, catalogContract), providers, knowledge }),
    })
    const served = await serve(bus, agentsContract, handlers, platform)
    const models = createClient(bus, languageModelsContract)
    const providerHandlers = createProviderHandlers({ providers, keys, models })
    const providersServed = await serve(bus, modelProvidersContract, providerHandlers, platform)
    const phoneHandlers = createPhoneNumberHandlers({ database, keys: phoneKeys })
    const phoneServed = await serve(bus, phoneNumbersContract, phoneHandlers, platform)
    const indexer = startIndexer({ knowledge, logger })
    const knowledgeHandlers = createKnowledgeHandlers({ agents: agentRepository, knowledge, onAdded: indexer.wake })
    const knowledgeServed = await serve(bus, knowledgeContract, knowledgeHandlers, platform)
    const relays = [
      startAuditRelay({ database, audit: createClient(bus, auditContract), logger }),
      startWebhookRelay({ database, webhooks: createClient(bus, webhooksContract), logger }),
    ]
    return {
      ready: () => database.ready(),
      async stop() {
        const allServed = [served, providersServed, knowledgeServed, phoneServed]
        await Promise.all([...allServed.map((one) => one.stop()), indexer.stop()])
        await Promise.all(relays.map((relay) => relay.stop()))
        await database.close()
      },
    }
  },
}
