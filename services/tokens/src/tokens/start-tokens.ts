import { createClient, serve } from '@parlance/bus'
import { agentsContract, tokensContract } from '@parlance/contracts'
import type { Platform, RunningService } from '@parlance/runtime'
import { type DatabaseSchema, startSweep } from '@parlance/store'
import { createConsumptionRepository } from './consumption-repository.js'
import { createSingleUseTokens, listenTokenKind, sessionTokenKind, streamTokenKind } from './single-use-tokens.js'
import { createTokenHandlers, type TokenHandlersOptions } from './token-handlers.js'

export const tokensSchema: DatabaseSchema = {
  schema: 'tokens',
  migrations: new URL('../../migrations/tokens/', import.meta.url),
}

const sweepEveryMs = 60 * 60 * 1000
/** Longer than any difference between two clocks. */
const keptAfterExpiryMs = 24 * 60 * 60 * 1000

/** Serves `tokensContract` until it is stopped. */
export const startTokens = async (
  platform: Platform,
  { requireCredit }: Pick<TokenHandlersOptions, 'requireCredit'>,
): Promise<RunningService> => {
  const { bus, ttl, logger } = platform
  const database = await platform.openDatabase(tokensSchema)
  const consumptions = createConsumptionRepository(database)
  const handlers = createTokenHandlers({
    sessionTokens: createSingleUseTokens(sessionTokenKind, { ttl, consumptions }),
    streamTokens: createSingleUseTokens(streamTokenKind, { ttl, consumptions }),
    listenTokens: createSingleUseTokens(listenTokenKind, { ttl, consumptions }),
    agents: createClient(bus, agentsContract),
    requireCredit,
  })
  const served = await serve(bus, tokensContract, handlers, platform)

  const sweep = startSweep((signal) => consumptions.removeExpired(keptAfterExpiryMs, signal), {
    everyMs: sweepEveryMs,
    onFailed: (err) => logger.warn({ err }, 'Expired tokens could not be removed'),
  })

  return {
    ready: () => database.ready(),
    async stop() {
      await Promise.all([served.stop(), sweep.stop()])
      await database.close()
    },
  }
}
