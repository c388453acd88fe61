import type { Service } from '@parlance/runtime'
import { type CreditEnv, creditEnv } from './credit/credit-env.js'
import { creditSchema } from './credit/credit-schema.js'
import { startCredit } from './credit/start-credit.js'

export const tokens: Service<CreditEnv> = {
  name: 'tokens',
  needs: ['bus', 'ttl', 'database'],
  databases: [creditSchema],
  env: creditEnv,
  start: startCredit,
}
