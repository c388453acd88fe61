/**
 * A calendar as iCalendar (RFC 5545). Every occurrence in a window of time is an event of its own with times in UTC. So clients
 * need no VTIMEZONE and no rules, which they interpret in different ways when clocks change, and all of them show the times
 * that Agents speak. Clients read the feed about every hour.
 */

import { createHash } from 'node:crypto'
import { setImmediate as nextTick } from 'node:timers/promises'
import type { Handlers } from '@parlance/bus'
import type { calendarContract } from '@parlance/contracts'
import ical, { foldLines, ICalCalendarMethod } from 'ical-generator'
import { type CalendarRepository, ownerOf } from './calendar-repository.js'
import { listOccurrences, type TimedOccurrence } from './event-occurrences.js'
import type { FeedSignatures } from './feed-signature.js'

const dayMs = 86_400_000
const daysBack = 31
const daysAhead = 366
/** The number of events that fit into a reply on the bus, whatever their titles. */
const maxFeedItems = 800

/** The window consists of whole days, so that the feed of an unchanged calendar stays the same for a day. */
const feedWindow = (nowMs: number): { fromMs: number; toMs: number } => {
  const today = Math.floor(nowMs / dayMs) * dayMs
  return { fromMs: today - daysBack * dayMs, toMs: today + daysAhead * dayMs }
}

interface FeedItem {
  readonly occurrence: TimedOccurrence
  /** When the event was changed, in ms since 1970. */
  readonly changedAtMs: number
}

const uidOf = ({ eventId, ruledAt }: TimedOccurrence) =>
  `${createHash('sha256').update(`${eventId} ${ruledAt}`).digest('hex').slice(0, 32)}@parlance`

const eventOf = ({ occurrence, changedAtMs }: FeedItem): string =>
  ical()
    .createEvent({
      id: uidOf(occurrence),
      start: new Date(occurrence.startMs),
      end: new Date(occurrence.endMs),
      summary: occurrence.title,
      stamp: new Date(changedAtMs),
      // Grows with every change, so that clients which compare it use the latest version.
      sequence: Math.floor(changedAtMs / 1000) % 2 ** 31,
    })
    .toString()

/** Yields to the event loop after every few items, since a large feed takes long to write. */
const feedDocument = async (items: readonly FeedItem[]): Promise<string> => {
  const calendar = ical({
    name: 'Calendar',
    prodId: { company: 'Parlance', product: 'Calendar', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: 60 * 60,
  })
  const [head, foot] = calendar.toString().split(/(?=END:VCALENDAR)/) as [string, string]
  const parts = [head]
  for (const [index, item] of items.entries()) {
    parts.push(foldLines(eventOf(item)))
    if (index % 5 === 4) await nextTick()
  }
  return `${[...parts, foot].join('')}\r\n`
}

interface FeedHandlersOptions {
  readonly calendars: CalendarRepository
  readonly signatures: FeedSignatures
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The signed address of a calendar's feed, and the feed at such an address. */
export const createFeedHandlers = ({
  calendars,
  signatures,
  now,
}: FeedHandlersOptions): Pick<Handlers<typeof calendarContract>, 'signFeed' | 'readFeed'> => ({
  async signFeed(request) {
    const owner = ownerOf(request)
    const signature = signatures.sign({ ...owner, generation: await calendars.generationOf(owner) })
    return { path: `/v1/calendar-feeds/${signature}.ics` }
  },

  async readFeed({ signature }, { fail }) {
    const signed = signatures.read(signature)
    if (signed === undefined || !(await calendars.hasGeneration(signed, signed.generation))) {
      return fail('not_found', 'There is no such calendar feed.')
    }
    const { fromMs, toMs } = feedWindow(now())
    const events = await calendars.list(signed, fromMs, toMs)
    const changedAtMs = new Map(events.map((event) => [event.id, event.changedAtMs]))
    const occurrences = await listOccurrences(events, fromMs, toMs)
    const items = occurrences
      .slice(0, maxFeedItems)
      .map((occurrence) => ({ occurrence, changedAtMs: changedAtMs.get(occurrence.eventId) ?? 0 }))
    return { icalendar: await feedDocument(items) }
  },
})
