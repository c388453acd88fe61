import type { ResponseConfig, RouteConfig } from '@asteasolutions/zod-to-openapi'
import { occurrenceSchema } from '@parlance/contracts'
import { z } from 'zod'
import { calendarQuerySchema, longestCalendarDays } from '../routes/calendar-query.js'
import { endUserParameter } from './end-user-parameter.js'
import { agentsErrors, answerHeaders, errorResponses, keyAnswerHeaders } from './responses.js'

const instant = { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] } as const
const { from, to } = calendarQuerySchema.shape
const query = calendarQuerySchema.extend({
  from: from.meta({ ...instant, description: 'A date is its beginning in UTC. Now when left out.' }),
  to: to.meta({
    ...instant,
    description: `At most ${longestCalendarDays} days after \`from\`. 30 days after it when left out.`,
  }),
})

const calendar = z
  .object({
    occurrences: z.array(occurrenceSchema.meta({ id: 'Occurrence' })).meta({
      description: 'What begins from `from` up to `to`, by its beginning; at most 500.',
    }),
    feed_url: z.url().meta({
      description: 'An iCalendar feed to subscribe to. Whoever has this address can read the calendar: it is a secret.',
      example: 'https://speech.example.com/v1/calendar-feeds/….ics',
    }),
  })
  .meta({ id: 'Calendar' })

const ofEndUser = (
  method: 'get' | 'delete',
  { request, ...fields }: Pick<RouteConfig, 'operationId' | 'summary' | 'description' | 'request'>,
  answer: Record<string, ResponseConfig>,
): RouteConfig => ({
  method,
  path: '/v1/end-users/{endUserId}/calendar',
  tags: ['End users'],
  security: [{ key: [] }],
  ...fields,
  request: { params: endUserParameter, ...request },
  responses: {
    ...answer,
    ...errorResponses(...agentsErrors),
  },
})

export const calendarPaths: readonly RouteConfig[] = [
  ofEndUser(
    'get',
    {
      operationId: 'getCalendar',
      summary: "Read an end user's calendar",
      description: 'What Agents have put into it, and where calendar programs can subscribe to it.',
      request: { query },
    },
    { 200: { description: 'OK', headers: keyAnswerHeaders(), content: { 'application/json': { schema: calendar } } } },
  ),
  ofEndUser(
    'delete',
    {
      operationId: 'deleteCalendar',
      summary: "Delete an end user's calendar",
      description: 'Everything in it. The address of its feed is void from then on.',
    },
    { 204: { description: 'It is gone, or there was none.', headers: keyAnswerHeaders() } },
  ),
  {
    method: 'get',
    path: '/v1/calendar-feeds/{signature}.ics',
    operationId: 'readCalendarFeed',
    tags: ['End users'],
    summary: 'Read a calendar as iCalendar',
    description:
      'For calendar programs. No key: the address is the secret. Occurrences of the last month and the next year.',
    security: [],
    request: {
      params: z.object({ signature: z.string() }),
      headers: z.object({ 'if-none-match': z.string().optional() }),
    },
    responses: {
      200: {
        description: 'RFC 5545, with times in UTC.',
        headers: answerHeaders({ etag: z.string() }),
        content: { 'text/calendar': { schema: z.string() } },
      },
      304: { description: 'It is as it was.', headers: answerHeaders({ etag: z.string() }) },
      ...errorResponses('not_found', 'not_acceptable', 'internal_error', 'unavailable', 'upstream_timeout'),
      // Whoever reads a feed has no key, and hears nothing of a workspace's limit.
      429: { ...errorResponses('rate_limited')[429]!, headers: answerHeaders({ 'retry-after': z.string() }) },
    },
  },
]
