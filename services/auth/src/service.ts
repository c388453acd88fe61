import { createClient, serve } from '@parlance/bus'
import { startWebhookRelay } from '@parlance/clients/outbox'
import { auditContract, authContract, peopleContract, webhooksContract } from '@parlance/contracts'
import type { Service } from '@parlance/runtime'
import { createApiKeyRepository } from './api-key-repository.js'
import { createAuditHandlers, createAuditRepository } from './audit/audit-log.js'
import { type AuthEnv, env } from './env.js'
import { announceStanding, createKeyHandlers } from './key-handlers.js'
import { onDemand } from './on-demand.js'
import { readIdentityProvider } from './people/identity-provider.js'
import { createInvitationRepository } from './people/invitation-repository.js'
import { createMailer } from './people/mailer.js'
import { createPeopleHandlers } from './people/people-handlers.js'
import { createOperatorRepository, createPeopleRepository } from './people/people-repository.js'
import { createAccountLimit, createSignInLimit } from './people/sign-in-limit.js'
import { createWorkspaceHandlers } from './workspace-handlers.js'
import { createWorkspaceRepository } from './workspace-repository.js'

const schema = { schema: 'auth', migrations: new URL('../migrations/', import.meta.url) }

export const auth: Service<AuthEnv> = {
  name: 'auth',
  needs: ['bus', 'ttl', 'database'],
  metrics: ['bus', 'store'],
  databases: [schema],
  env,
  async start(platform, settings) {
    const { bus, ttl, logger } = platform
    const database = await platform.openDatabase(schema)
    const { standingChanged } = createClient(bus, authContract)
    const mailer = await createMailer(settings, platform.readSecret)
    const provider = readIdentityProvider(settings, platform.readSecret)
    const people = createPeopleRepository(database)
    const invitations = createInvitationRepository(database)
    // The library takes more than half a second of CPU time to load. It is not loaded before a person signs in.
    const accounts = onDemand(async () => {
      const { openAccounts } = await import('./people/accounts.js')
      return openAccounts({
        database,
        peppers: settings.API_KEY_PEPPERS,
        publicUrl: settings.PUBLIC_URL,
        mailer,
        provider,
        limit: createSignInLimit(ttl),
        limitAccount: createAccountLimit({
          ttl,
          onTooMany: (email) =>
            void people
              .findByEmail(email)
              .then((person) => person && mailer.warnOfSignIns(person.email))
              .catch((err: unknown) => logger.warn({ err }, 'A person could not be notified of many sign-ins')),
        }),
        isInvited: invitations.isInvited,
        createInvitationToken: invitations.createToken,
        logger,
        onMemberRemoved: (workspaceId) => announceStanding(standingChanged, workspaceId),
      })
    })
    const keyOptions = {
      workspaces: createWorkspaceRepository(database),
      keys: createApiKeyRepository(database),
      ttl,
      peppers: settings.API_KEY_PEPPERS,
      environment: settings.API_KEY_ENVIRONMENT,
      standingChanged,
    }
    const handlers = { ...createWorkspaceHandlers(keyOptions), ...createKeyHandlers(keyOptions) }
    const peopleHandlers = createPeopleHandlers({
      accounts,
      people,
      invitations,
      operators: createOperatorRepository(database),
      publicUrl: settings.PUBLIC_URL,
      provider,
      sendsMail: mailer.canSend,
      standingChanged,
    })
    const served = [
      await serve(bus, authContract, handlers, platform),
      await serve(bus, peopleContract, peopleHandlers, platform),
      await serve(bus, auditContract, createAuditHandlers(createAuditRepository(database)), platform),
    ]
    const webhookRelay = startWebhookRelay({ database, webhooks: createClient(bus, webhooksContract), logger })
    return {
      ready: () => database.ready(),
      async stop() {
        await Promise.all([...served, webhookRelay].map((one) => one.stop()))
        mailer.close()
        await database.close()
      },
    }
  },
}
