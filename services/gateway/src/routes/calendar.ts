import { createHash } from 'node:crypto'
import type { Client } from '@parlance/bus'
import { type calendarContract, ServiceError } from '@parlance/contracts'
import type { RequestHandler } from 'express'
import { jsonOnly, requireAcceptable } from '../http/acceptable.js'
import { apiHeaders, sendNothing, sendResource } from '../http/json-response.js'
import { parseRequest } from '../http/parsed-request.js'
import type { PublicUrl } from '../http/public-url.js'
import type { LimitRate } from '../rate-limit/rate-limiter.js'
import { calendarRangeSchema } from './calendar-query.js'
import { endUserAddressOf } from './end-user-address.js'

export type CalendarClient = Pick<
  Client<typeof calendarContract>,
  'listOccurrences' | 'signFeed' | 'readFeed' | 'deleteCalendar'
>

export interface CalendarHandlersOptions {
  calendar: CalendarClient
  publicUrl: PublicUrl
  /** Counts by signature: whoever has an address is nobody's key, and shall not use up the limit of one. */
  limitFeed: LimitRate
}

const calendarType = 'text/calendar; charset=utf-8'

/** It may change at any time, and nobody but who reads it shall keep it. */
const feedCacheControl = 'private, no-cache'

const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22)

const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)

export const createCalendarHandlers = ({ calendar, publicUrl, limitFeed }: CalendarHandlersOptions) =>
  ({
    async read(req, res) {
      requireAcceptable(req, jsonOnly)
      const { context } = req
      const owner = endUserAddressOf(req)
      const range = parseRequest(calendarRangeSchema, req.query)
      const [{ occurrences }, { path }] = await Promise.all([
        calendar.listOccurrences({ ...owner, ...range }, { context }),
        calendar.signFeed(owner, { context }),
      ])
      sendResource(req, res, 200, { occurrences, feed_url: publicUrl(req, path) })
    },

    async delete(req, res) {
      await calendar.deleteCalendar(endUserAddressOf(req), { context: req.context })
      sendNothing(req, res)
    },

    /** The signature in the path is all that it takes. */
    async readFeed(req, res) {
      requireAcceptable(req, ['text/calendar'])
      const signature = String(req.params.signature)
      // What is longer than any signature is none, and the calendar need not be asked.
      if (signature.length > 500) throw new ServiceError('not_found', 'There is no such calendar feed.')
      const rate = await limitFeed(`feed:${digest(signature)}`)
      if (rate?.allowed === false) {
        res.retryAfterSeconds = rate.retryAfterSeconds
        throw new ServiceError('rate_limited', 'This feed is read too often. Wait as long as retry-after says.')
      }
      const { icalendar } = await calendar.readFeed({ signature }, { context: req.context })
      const etag = `"${digest(icalendar)}"`
      const headers = [...apiHeaders(req.id, calendarType, feedCacheControl), 'etag', etag]
      if (matches(req.headers['if-none-match'], etag)) {
        res.writeHead(304, headers).end()
        return
      }
      headers.push('content-length', String(Buffer.byteLength(icalendar)))
      res.writeHead(200, headers).end(icalendar)
    },
  }) satisfies Record<string, RequestHandler>
