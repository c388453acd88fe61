import type { Service } from '@parlance/runtime'
import { type CreditEnv, creditEnv } from './credit/credit-settings.js'
import { creditSchema, startCredit } from './credit/start-credit.js'
import { startTokens, tokensSchema } from './tokens/start-tokens.js'

export const tokens: Service<CreditEnv> = {
  name: 'tokens',
  needs: ['bus', 'ttl', 'database'],
  databases: [creditSchema, tokensSchema],
  env: creditEnv,
  async start(platform, env) {
    const credit = await startCredit(platform, env)
    const tokens = await startTokens(platform, credit)
    return {
      ready: async () => (await credit.ready()) && (await tokens.ready()),
      async stop() {
        await tokens.stop()
        await credit.stop()
      },
    }
  },
}
