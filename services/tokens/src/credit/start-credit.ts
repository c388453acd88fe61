import { createClient, serve } from '@parlance/bus'
import { createCreditCounter } from '@parlance/clients/credit'
import { startAuditRelay, startWebhookRelay } from '@parlance/clients/outbox'
import { auditContract, creditContract, webhooksContract } from '@parlance/contracts'
import type { Platform, RunningService } from '@parlance/runtime'
import type { DatabaseSchema } from '@parlance/store'
import { createReadBalance } from './credit-balance.js'
import { createCreditHandlers } from './credit-handlers.js'
import { type CreditEnv, leaseTermsOf } from './credit-settings.js'
import { endReservations } from './end-reservations.js'
import { createLeaseCredit, createRequireCredit, type RequireCredit } from './lease-credit.js'
import { startReaper } from './reaper.js'
import { createReconcileCredit } from './reconcile-credit.js'
import { createReservationResolver } from './reservation-resolver.js'

export const creditSchema: DatabaseSchema = {
  schema: 'credit',
  migrations: new URL('../../migrations/credit/', import.meta.url),
}

interface RunningCredit extends RunningService {
  requireCredit: RequireCredit
}

/** Serves `creditContract` and runs the reaper, until it is stopped. */
export const startCredit = async (platform: Platform, env: CreditEnv): Promise<RunningCredit> => {
  const { bus, logger, metrics } = platform
  const lowNano = env.CREDIT_LOW
  const database = await platform.openDatabase(creditSchema)
  const counter = createCreditCounter(platform.ttl)
  const terms = leaseTermsOf(env)
  const resolveReservation = createReservationResolver({
    endReservations: (endings) => endReservations(database, endings, lowNano, metrics.creditFell),
    counter,
    logger,
    intervalMs: env.CREDIT_SETTLE_INTERVAL_MS,
  })
  const leaseCredit = createLeaseCredit({ database, counter, terms, lowNano, onFell: metrics.creditFell })
  const requireCredit = createRequireCredit({ database, counter, leaseCredit })
  const handlers = createCreditHandlers({
    database,
    readBalance: createReadBalance({ database, counter }),
    leaseCredit,
    requireCredit,
    resolveReservation,
    reconcile: createReconcileCredit({ database, counter, terms }),
    lowNano,
  })
  const served = await serve(bus, creditContract, handlers, platform)
  const reaper = startReaper({ database, counter, resolveReservation, terms, logger, metrics })
  const relays = [
    startAuditRelay({ database, audit: createClient(bus, auditContract), logger }),
    startWebhookRelay({ database, webhooks: createClient(bus, webhooksContract), logger }),
  ]
  return {
    requireCredit,
    ready: () => database.ready(),
    async stop() {
      await Promise.all([served, reaper, ...relays].map((one) => one.stop()))
      await database.close()
    },
  }
}
