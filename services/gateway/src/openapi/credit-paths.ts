import type { RouteConfig } from '@asteasolutions/zod-to-openapi'
import { creditBalanceSchema, type ErrorCode, usageReportSchema } from '@parlance/contracts'
import type { z } from 'zod'
import { longestUsageDays, usageQuerySchema } from '../routes/usage-query.js'
import { errorResponses, keyAnswerHeaders, keyErrors } from './responses.js'

const balance = creditBalanceSchema
  .extend({
    balance: creditBalanceSchema.shape.balance.meta({ description: 'All that is not spent.', example: '12.40' }),
    reserved: creditBalanceSchema.shape.reserved.meta({
      description: 'The part of the balance that running work holds now. It is spent or returned when the work ends.',
      example: '0.10',
    }),
  })
  .meta({ id: 'Credit' })

const report = usageReportSchema.meta({ id: 'UsageReport' })

const { from, to, group_by } = usageQuerySchema.shape
const instant = { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] } as const

const usageQuery = usageQuerySchema.extend({
  from: from.meta({
    ...instant,
    description: 'Part of the time that is told of. A date is its beginning in UTC. 30 days before `to` when left out.',
    example: '2026-01-01',
  }),
  to: to.meta({
    ...instant,
    description: `Not part of it any more; at most ${longestUsageDays} days after \`from\`. Now when left out.`,
    example: '2026-02-01T00:00:00Z',
  }),
  group_by: group_by.meta({ description: 'Days are those of UTC.' }),
})

const get = (
  path: string,
  operationId: string,
  summary: string,
  schema: z.ZodType,
  errors: readonly ErrorCode[] = [],
): Omit<RouteConfig, 'request'> => ({
  method: 'get',
  path,
  operationId,
  tags: ['Credit'],
  summary,
  security: [{ key: [] }],
  responses: {
    200: { description: 'OK', headers: keyAnswerHeaders(), content: { 'application/json': { schema } } },
    ...errorResponses(...errors, ...keyErrors, 'not_acceptable', 'rate_limited', 'upstream_timeout'),
  },
})

export const creditPaths: readonly RouteConfig[] = [
  {
    ...get('/v1/credit', 'getCredit', 'How much credit is left', balance),
    description: 'Work reserves credit before it begins, and pays for what was done when it ends.',
  },
  {
    ...get('/v1/usage', 'getUsage', 'What was used, and what it cost', report, ['invalid_request']),
    description: 'Groups in which nothing was used are left out. What no agent, or no key, used has the key `null`.',
    request: { query: usageQuery },
  },
]
