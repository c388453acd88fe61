/**
 * A calendar as iCalendar (RFC 5545). Every occurrence is an event of its own, with times in UTC, in a window of time that
 * moves on: clients then need no VTIMEZONE, have no rule to understand, and show just what Agents tell, also where clocks are
 * put forward or back, which each of them treats in its own way. They ask again every hour or so.
 */
import { createHash } from 'node:crypto'
import { setImmediate as othersFirst } from 'node:timers/promises'
import ical, { foldLines, ICalCalendarMethod } from 'ical-generator'
import type { TimedOccurrence } from './event-occurrences.js'

const dayMs = 86_400_000
const daysBack = 31
const daysAhead = 366
/** So many fit into an answer on the bus, whatever their titles. */
export const mostInFeed = 800

/** Of whole days, so that a feed in which nothing changes stays the same for a day. */
export const feedWindow = (nowMs: number): { fromMs: number; toMs: number } => {
  const today = Math.floor(nowMs / dayMs) * dayMs
  return { fromMs: today - daysBack * dayMs, toMs: today + daysAhead * dayMs }
}

export interface FeedItem {
  readonly occurrence: TimedOccurrence
  /** Of the event, in ms since 1970. */
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
      // Grows with every change, so clients that go by it take the newer.
      sequence: Math.floor(changedAtMs / 1000) % 2 ** 31,
    })
    .toString()

/** Writing takes time: what else the process has to do comes in between. */
export const feedDocument = async (items: readonly FeedItem[]): Promise<string> => {
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
    if (index % 5 === 4) await othersFirst()
  }
  return `${[...parts, foot].join('')}\r\n`
}
