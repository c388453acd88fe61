import { sessionOverviewSchema, sessionsContract } from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { forward } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { instantForm, instantSchema } from '../../openapi/parameters.js'
import { json, member, type Route } from '../route.js'

const dayMs = 24 * 3_600_000
const maxDays = 366

const query = z.strictObject({
  from: instantSchema
    .refine((ms) => Date.now() - ms <= maxDays * dayMs, { error: `must be at most ${maxDays} days ago` })
    .meta({
      ...instantForm,
      description: 'The day in UTC with which the period begins, or a time on that day. The period ends now.',
      example: '2026-01-01',
    }),
})

export const getOverview: Route = {
  method: 'get',
  path: '/dashboard/api/overview',
  authentication: member('member', 'agents'),
  operationId: 'getOverview',
  tag: 'Sessions',
  summary: 'Read how many conversations there were, how many succeeded and how fast the Agents answered, by day',
  description:
    'Days are those of UTC. Days without a conversation are left out. A conversation counts for the day on which it was created.',
  request: { query },
  responses: { 200: json('OK', sessionOverviewSchema.meta({ id: 'Overview' })) },
  calls: [sessionsContract.methods.getOverview],
  createHandler: ({ sessions }) =>
    forward(async (req) => {
      const { from } = parseRequest(query, req.query)
      const request = { workspace_id: principalOf(req).workspace_id, from: new Date(from).toISOString() }
      return sessions.raw.getOverview(request, { context: req.context })
    }),
}
