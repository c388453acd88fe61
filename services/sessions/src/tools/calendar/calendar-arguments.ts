/** The arguments of the calendar tools. Times are local times, since models convert to UTC with too many errors. */
import { eventDraftSchema, localTimeSchema } from '@parlance/contracts'
import { z } from 'zod'

/** Seconds of zero and a space in place of the `T` are accepted. */
const timeSchema = z
  .string()
  .transform((text) =>
    text
      .trim()
      .replace(' ', 'T')
      .replace(/^(.{16}):00$/, '$1'),
  )
  .refine((text) => localTimeSchema.safeParse(text).success, {
    error: 'must be a time without a time zone, such as "2026-03-29T09:30"',
  })
  .meta({ description: 'Such as 2026-03-29T09:30, on the user’s clock.' })

/** The day of a time is accepted too. */
const daySchema = z
  .string()
  .transform((text) => text.trim().slice(0, 10))
  .refine((text) => z.iso.date().safeParse(text).success, { error: 'must be a date such as "2026-03-29"' })

const eventId = z.uuid().meta({ description: 'As calendar_list gives it.' })
const { title, duration_minutes, time_zone, recurrence } = eventDraftSchema.shape

export const listArguments = z.object({
  from: daySchema.meta({ description: 'The first day, such as 2026-03-29.' }),
  to: daySchema.meta({ description: 'The last day, which is included.' }),
})

export const createArguments = z.object({
  title: z.preprocess((text) => (typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : text), title),
  starts_at: timeSchema,
  duration_minutes,
  time_zone: time_zone.optional().meta({ description: 'An IANA name, only where it is not the user’s own.' }),
  recurrence: recurrence.optional().meta({
    description:
      'An RFC 5545 rule for what takes place again and again, such as FREQ=WEEKLY, FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10 or ' +
      'FREQ=MONTHLY;BYDAY=1MO;UNTIL=20261231.',
  }),
})

const occurrence = timeSchema.optional().meta({
  description:
    'Of what recurs: when the one that is meant begins, as calendar_list gives it. All of them when left out.',
})

export const moveArguments = z.object({
  event_id: eventId,
  occurrence,
  starts_at: timeSchema.meta({
    description: 'When it is to begin. For all of what recurs: when the next is to begin.',
  }),
  duration_minutes: duration_minutes.optional().meta({ description: 'As it was when left out.' }),
})

export const cancelArguments = z.object({ event_id: eventId, occurrence })

export const confirmArguments = z.object({})

/** The JSON Schema for a model, without `pattern`, which some servers refuse. */
export const parametersOf = (schema: z.ZodType): Readonly<Record<string, unknown>> => {
  const withoutPattern = ({ jsonSchema }: { jsonSchema: { pattern?: string } }) => {
    delete jsonSchema.pattern
  }
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input', override: withoutPattern })
  return parameters
}
