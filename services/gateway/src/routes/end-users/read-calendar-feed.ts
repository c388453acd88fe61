import { calendarContract, ServiceError } from '@parlance/contracts'
import { z } from 'zod'
import { requireRate } from '../../authentication/rate-limiter.js'
import { requireAcceptable } from '../../http/acceptable.js'
import { digestOf, etagOf, sendTagged } from '../../http/entity-tag.js'
import { apiHeaders, privateNoCache } from '../../http/json-response.js'
import { noAuthentication, type Route } from '../route.js'

const calendarType = 'text/calendar; charset=utf-8'
const maxSignatureLength = 500

const etagHeader = { etag: z.string() }

export const readCalendarFeed: Route = {
  method: 'get',
  path: '/v1/calendar-feeds/:signature.ics',
  authentication: noAuthentication,
  operationId: 'readCalendarFeed',
  tag: 'End users',
  summary: 'Read a calendar as iCalendar',
  description:
    'For calendar programs. No key: the address is the secret. Occurrences of the last month and the next year.',
  request: {
    params: z.object({ signature: z.string() }),
    headers: z.object({ 'if-none-match': z.string().optional() }),
  },
  responses: {
    200: {
      description: 'RFC 5545, with times in UTC.',
      headers: etagHeader,
      content: { 'text/calendar': { schema: z.string() } },
    },
    304: { description: 'Not modified.', headers: etagHeader },
  },
  calls: [calendarContract.methods.readFeed],
  errors: ['not_acceptable', 'rate_limited'],

  createHandler:
    ({ calendar, limitFeed }) =>
    async (req, res) => {
      requireAcceptable(req, ['text/calendar'])
      const signature = String(req.params.signature)
      if (signature.length > maxSignatureLength) throw new ServiceError('not_found', 'There is no such calendar feed.')
      const rate = await limitFeed(`feed:${digestOf(signature)}`)
      requireRate(rate, 'This feed is read too often. Wait for the time in retry-after.')
      const { icalendar } = await calendar.readFeed({ signature }, { context: req.context })
      const headers = apiHeaders(req.id, calendarType, privateNoCache)
      sendTagged(req, res, headers, etagOf(icalendar), Buffer.from(icalendar))
    },
}
