import { usageGroupingSchema, usageReportSchema } from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { forward } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { instantForm, instantSchema } from '../../openapi/parameters.js'
import { apiKey, json, type Route } from '../route.js'

const dayMs = 24 * 3_600_000
const defaultDays = 30
const maxDays = 366

const query = z.strictObject({
  from: instantSchema.optional().meta({
    ...instantForm,
    description: `The beginning of the period. A date is its beginning in UTC. ${defaultDays} days before \`to\` when left out.`,
    example: '2026-01-01',
  }),
  to: instantSchema.optional().meta({
    ...instantForm,
    description: `The end of the period, at most ${maxDays} days after \`from\`. Now when left out.`,
    example: '2026-02-01T00:00:00Z',
  }),
  group_by: usageGroupingSchema.default('day').meta({ description: 'Days are those of UTC.' }),
})

const periodSchema = query.transform(({ from, to = Date.now(), group_by }, context) => {
  const fromMs = from ?? to - defaultDays * dayMs
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['from'], message })
  if (fromMs >= to) refuse('must be before to')
  else if (to - fromMs > maxDays * dayMs) refuse(`must be at most ${maxDays} days before to`)
  return { from: new Date(fromMs).toISOString(), to: new Date(to).toISOString(), group_by }
})

export const getUsage: Route = {
  method: 'get',
  path: '/v1/usage',
  authentication: apiKey(),
  operationId: 'getUsage',
  tag: 'Credit',
  summary: 'Read the usage, and its cost',
  description:
    'Groups without usage are left out. Usage without an Agent, or without a key, has the key `null`. Groups beyond the 1,000 of the highest cost are combined in a last one with the key `other`.',
  request: { query },
  responses: { 200: json('OK', usageReportSchema.meta({ id: 'UsageReport' })) },

  createHandler: ({ credit }) =>
    forward(async (req) => {
      const { workspace_id } = principalOf(req)
      const period = parseRequest(periodSchema, req.query)
      return credit.raw.getUsage({ workspace_id, ...period }, { context: req.context })
    }, 'no-store'),
}
