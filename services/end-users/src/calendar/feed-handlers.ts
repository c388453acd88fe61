import type { Handlers } from '@parlance/bus'
import type { calendarContract } from '@parlance/contracts'
import { type CalendarRepository, ownerOf } from './calendar-repository.js'
import { listOccurrences } from './event-occurrences.js'
import { feedDocument, feedWindow, maxFeedItems } from './feed-document.js'
import type { FeedSignatures } from './feed-signature.js'

export interface FeedHandlersOptions {
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
