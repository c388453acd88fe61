import { z } from 'zod'
import { call, contract } from './contract.js'
import { idSchema, timestampSchema } from './primitives.js'

/** An IANA time zone, such as `Europe/Berlin`. */
export const timeZoneSchema = z
  .string()
  .max(64)
  .refine(
    (zone) => {
      try {
        return Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined
      } catch {
        return false
      }
    },
    { error: 'must be a time zone such as "Europe/Berlin"' },
  )

/** A date and a time as a clock on the wall shows it, e.g. `2026-03-29T09:30`. */
export const localTimeSchema = z.iso.datetime({ local: true, precision: -1 }).refine((value) => !value.endsWith('Z'), {
  error: 'must be without a time zone, such as "2026-03-29T09:30"',
})

const eventFields = {
  title: z.string().min(1).max(200),
  /** On the wall clock of `time_zone`: it stays what it is when clocks are put forward. */
  starts_at: localTimeSchema,
  duration_minutes: z
    .int()
    .min(1)
    .max(14 * 24 * 60),
  time_zone: timeZoneSchema,
  /** An RFC 5545 rule without its name, such as `FREQ=WEEKLY;COUNT=10`; null for what happens once. */
  recurrence: z.string().min(1).max(500).nullable(),
}

export const calendarEventSchema = z.object({ id: idSchema, ...eventFields, created_at: timestampSchema })
export type CalendarEvent = z.infer<typeof calendarEventSchema>

/** One time at which an event takes place. */
export const occurrenceSchema = z.object({
  event_id: idSchema,
  title: z.string(),
  starts_at: timestampSchema,
  ends_at: timestampSchema,
  time_zone: timeZoneSchema,
  recurring: z.boolean(),
})
export type Occurrence = z.infer<typeof occurrenceSchema>

const owner = { workspace_id: idSchema, end_user_id: idSchema }
const eventAddress = { ...owner, event_id: idSchema }
/** For a recurring event: only the occurrence that begins then; all of them when it is left out. */
const occurrence = { occurrence_starts_at: timestampSchema.optional() }

/** The calendars of end users, one each. Nothing of another's is ever seen. */
export const calendarContract = contract({
  name: 'calendar',
  version: '1.0.0',
  description: 'Calendars of the people that Agents talk with',
  methods: {
    /** What takes place between two times, by its beginning; at most 500. */
    listOccurrences: call({
      request: z.strictObject({ ...owner, from: timestampSchema, to: timestampSchema }),
      reply: z.object({ occurrences: z.array(occurrenceSchema) }),
      errors: ['invalid_request'],
    }),
    /** What would take place at the same time as such an event, its own occurrences aside; at most 20. */
    findConflicts: call({
      request: z.strictObject({ ...owner, event: z.strictObject(eventFields), event_id: idSchema.optional() }),
      reply: z.object({ conflicts: z.array(occurrenceSchema) }),
      errors: ['invalid_request'],
    }),
    createEvent: call({
      request: z.strictObject({ ...owner, event: z.strictObject(eventFields) }),
      reply: calendarEventSchema,
      errors: ['invalid_request'],
    }),
    moveEvent: call({
      request: z.strictObject({
        ...eventAddress,
        ...occurrence,
        starts_at: localTimeSchema,
        duration_minutes: eventFields.duration_minutes.optional(),
        time_zone: timeZoneSchema.optional(),
      }),
      reply: calendarEventSchema,
      errors: ['not_found', 'invalid_request'],
    }),
    cancelEvent: call({
      request: z.strictObject({ ...eventAddress, ...occurrence }),
      reply: z.object({}),
      errors: ['not_found'],
    }),
    /** The path of the feed, signed; it tells all that is needed to read this calendar, and no other. */
    signFeed: call({
      request: z.strictObject(owner),
      reply: z.object({ path: z.string() }),
    }),
    /** The calendar as iCalendar (RFC 5545), for who holds a signed path. */
    readFeed: call({
      request: z.strictObject({ signature: z.string().max(500) }),
      reply: z.object({ icalendar: z.string() }),
      errors: ['not_found'],
    }),
    /** All of it, and the feed's path with it. */
    deleteCalendar: call({
      request: z.strictObject(owner),
      reply: z.object({ deleted: z.int().nonnegative() }),
    }),
  },
})
