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

/** A local date and time without a time zone, such as `2026-03-29T09:30`. */
export const localTimeSchema = z.iso.datetime({ local: true, precision: -1 }).refine((value) => !value.endsWith('Z'), {
  error: 'must be without a time zone, such as "2026-03-29T09:30"',
})

const eventFields = {
  title: z
    .string()
    .min(1)
    .max(200)
    .regex(/^\P{Cc}*$/u, { error: 'must be one line of text' }),
  /** Local time in `time_zone`. It does not change when daylight saving time begins or ends. */
  starts_at: localTimeSchema,
  duration_minutes: z
    .int()
    .min(1)
    .max(14 * 24 * 60),
  time_zone: timeZoneSchema,
  /**
   * The value of an RFC 5545 RRULE, such as `FREQ=WEEKLY;COUNT=10`; null for an event that occurs once. By days, weeks,
   * months or years, and always at the local time of `starts_at`.
   */
  recurrence: z.string().min(1).max(500).nullable(),
}

export const eventDraftSchema = z.strictObject(eventFields)
export type EventDraft = z.infer<typeof eventDraftSchema>

const calendarEventSchema = z.object({ id: idSchema, ...eventFields, created_at: timestampSchema })
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

/** The preview of an event that would be created or moved. */
const eventPlanSchema = z.object({
  title: z.string(),
  /** The beginning of the first occurrence. It is later than `starts_at` when daylight saving time skips that time. */
  starts_at: timestampSchema,
  ends_at: timestampSchema,
  time_zone: timeZoneSchema,
  recurring: z.boolean(),
  /** At most 20 other events that take place at the same time. */
  conflicts: z.array(occurrenceSchema),
})
export type EventPlan = z.infer<typeof eventPlanSchema>

const owner = { workspace_id: idSchema, end_user_id: idSchema }
const eventAddress = { ...owner, event_id: idSchema }
/** For a recurring event: only the occurrence that begins then; all of them when it is left out. */
const occurrence = { occurrence_starts_at: timestampSchema.optional() }

const move = {
  ...eventAddress,
  ...occurrence,
  starts_at: localTimeSchema,
  duration_minutes: eventFields.duration_minutes.optional(),
  time_zone: timeZoneSchema.optional(),
}

/** The calendars of end users, one each. A calendar is visible only to its end user. */
export const calendarContract = contract({
  name: 'calendar',
  version: '1.0.0',
  description: 'Calendars of the people that Agents talk with',
  methods: {
    /** The events that begin between two times at most 366 days apart: the first 500. */
    listOccurrences: call({
      request: z.strictObject({ ...owner, from: timestampSchema, to: timestampSchema }),
      reply: z.object({ occurrences: z.array(occurrenceSchema) }),
      errors: ['invalid_request'],
    }),
    getEvent: call({
      request: z.strictObject(eventAddress),
      reply: calendarEventSchema,
      errors: ['not_found'],
    }),
    /** What `createEvent` would do. Of a recurring event at most 100 occurrences within a year are checked. */
    planEvent: call({
      request: z.strictObject({ ...owner, event: eventDraftSchema }),
      reply: eventPlanSchema,
      errors: ['invalid_request'],
    }),
    createEvent: call({
      request: z.strictObject({ ...owner, event: eventDraftSchema }),
      reply: calendarEventSchema,
      errors: ['invalid_request'],
    }),
    /** What `moveEvent` would do. */
    planMove: call({
      request: z.strictObject(move),
      reply: eventPlanSchema,
      errors: ['not_found', 'invalid_request'],
    }),
    /**
     * When a whole recurring event is moved, its next occurrence moves to `starts_at`, and the later ones follow by the
     * same rule. Earlier occurrences are removed and count as done.
     */
    moveEvent: call({
      request: z.strictObject(move),
      reply: calendarEventSchema,
      errors: ['not_found', 'invalid_request'],
    }),
    cancelEvent: call({
      request: z.strictObject({ ...eventAddress, ...occurrence }),
      reply: z.object({}),
      errors: ['not_found', 'invalid_request'],
    }),
    /** The signed path of the feed. It identifies the calendar, and a client that has it can read the calendar. */
    signFeed: call({
      request: z.strictObject(owner),
      reply: z.object({ path: z.string() }),
    }),
    /** The calendar as iCalendar (RFC 5545), for a client with a signed path. */
    readFeed: call({
      request: z.strictObject({ signature: z.string().max(500) }),
      reply: z.object({ icalendar: z.string() }),
      errors: ['not_found'],
    }),
    /** Removes the calendar. The path of its feed is no longer valid. */
    deleteCalendar: call({
      request: z.strictObject(owner),
      reply: z.object({ deleted: z.int().nonnegative() }),
    }),
  },
})
