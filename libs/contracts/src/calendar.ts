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
  title: z
    .string()
    .min(1)
    .max(200)
    .regex(/^\P{Cc}*$/u, { error: 'must be one line of text' }),
  /** On the wall clock of `time_zone`: it stays what it is when clocks are put forward. */
  starts_at: localTimeSchema,
  duration_minutes: z
    .int()
    .min(1)
    .max(14 * 24 * 60),
  time_zone: timeZoneSchema,
  /**
   * An RFC 5545 rule without its name, such as `FREQ=WEEKLY;COUNT=10`; null for what happens once. By days, weeks, months or
   * years, and always at the time of day of `starts_at`.
   */
  recurrence: z.string().min(1).max(500).nullable(),
}

export const eventDraftSchema = z.strictObject(eventFields)
export type EventDraft = z.infer<typeof eventDraftSchema>

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

/** The preview of an event that would be created or moved. */
export const eventPlanSchema = z.object({
  title: z.string(),
  /** Of the first occurrence: where clocks are put forward over `starts_at`, it begins as much later. */
  starts_at: timestampSchema,
  ends_at: timestampSchema,
  time_zone: timeZoneSchema,
  recurring: z.boolean(),
  /** What takes place at the same time, the event's own occurrences aside; at most 20. */
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

/** The calendars of end users, one each. Nothing of another's is ever seen. */
export const calendarContract = contract({
  name: 'calendar',
  version: '1.0.0',
  description: 'Calendars of the people that Agents talk with',
  methods: {
    /** What takes place between two times, by its beginning: the first 500 of at most 366 days. */
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
    /** What `createEvent` would do. Of what recurs the first 100 occurrences are looked at, and at most a year of them. */
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
     * When a whole recurring event is moved, its next occurrence moves to `starts_at`, and the later ones follow by the same rule.
     * Earlier occurrences are removed and count as done.
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
    /** The signed path of the feed. It identifies this calendar and is all that a client needs to read it. */
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
    /** All of it, and the feed's path with it. */
    deleteCalendar: call({
      request: z.strictObject(owner),
      reply: z.object({ deleted: z.int().nonnegative() }),
    }),
  },
})
