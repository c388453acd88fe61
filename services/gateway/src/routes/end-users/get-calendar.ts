import { calendarContract, occurrenceSchema } from '@parlance/contracts'
import { z } from 'zod'
import { respond } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { instantForm, instantSchema } from '../../openapi/parameters.js'
import { endUserAddressOf, endUserParameters } from '../path-parameters.js'
import { apiKey, json, type Route } from '../route.js'

const dayMs = 24 * 3_600_000
const defaultDays = 30
const maxDays = 366

const query = z.strictObject({
  from: instantSchema.optional().meta({
    ...instantForm,
    description: 'A date is its beginning in UTC. Now when left out.',
  }),
  to: instantSchema.optional().meta({
    ...instantForm,
    description: `At most ${maxDays} days after \`from\`. ${defaultDays} days after it when left out.`,
  }),
})

const rangeSchema = query.transform(({ from = Date.now(), to }, context) => {
  const toMs = to ?? from + defaultDays * dayMs
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['to'], message })
  if (from >= toMs) refuse('must be after from')
  else if (toMs - from > maxDays * dayMs) refuse(`must be at most ${maxDays} days after from`)
  return { from: new Date(from).toISOString(), to: new Date(toMs).toISOString() }
})

const calendarSchema = z
  .object({
    occurrences: z.array(occurrenceSchema.meta({ id: 'Occurrence' })).meta({
      description: 'The occurrences that begin from `from` up to `to`, by their beginning; at most 500.',
    }),
    feed_url: z.url().meta({
      description:
        'An iCalendar feed to subscribe to. The address is a secret: anyone who knows it can read the calendar.',
      example: 'https://speech.example.com/v1/calendar-feeds/….ics',
    }),
  })
  .meta({ id: 'Calendar' })

export const getCalendar: Route = {
  method: 'get',
  path: '/v1/end-users/:endUserId/calendar',
  authentication: apiKey('agents'),
  operationId: 'getCalendar',
  tag: 'End users',
  summary: "Read an end user's calendar",
  description: 'The appointments that Agents have made, and the address of a feed for calendar programs.',
  request: { params: endUserParameters, query },
  responses: { 200: json('OK', calendarSchema) },
  calls: [calendarContract.methods.listOccurrences],

  createHandler: ({ calendar, publicUrl }) =>
    respond(200, async (req) => {
      const { context } = req
      const owner = endUserAddressOf(req)
      const range = parseRequest(rangeSchema, req.query)
      const [{ occurrences }, { path }] = await Promise.all([
        calendar.listOccurrences({ ...owner, ...range }, { context }),
        calendar.signFeed(owner, { context }),
      ])
      return { occurrences, feed_url: publicUrl(req, path) }
    }),
}
