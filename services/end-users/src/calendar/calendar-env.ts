import { z } from 'zod'

const minKeyCharacters = 16

/** The environment variables of calendars. One of the two is required. */
export const calendarEnv = z
  .object({
    CALENDAR_FEED_KEY: z
      .string()
      .min(minKeyCharacters, { error: `It must have at least ${minKeyCharacters} characters.` })
      .optional()
      .describe(
        `a secret of at least ${minKeyCharacters} random characters, or name a file with CALENDAR_FEED_KEY_FILE`,
      ),
    CALENDAR_FEED_KEY_FILE: z
      .string()
      .optional()
      .describe('a file that contains the secret by which the paths of calendar feeds are signed'),
  })
  .refine((env) => env.CALENDAR_FEED_KEY !== undefined || env.CALENDAR_FEED_KEY_FILE !== undefined, {
    path: ['CALENDAR_FEED_KEY'],
    error: 'One of the two is required.',
  })
export type CalendarEnv = z.infer<typeof calendarEnv>

/** Throws when the secret is missing or too short. The error does not quote it. */
export const readFeedKey = (env: CalendarEnv, readSecret: (reference: { file: string }) => string): string => {
  if (env.CALENDAR_FEED_KEY_FILE === undefined) return env.CALENDAR_FEED_KEY!
  const key = readSecret({ file: env.CALENDAR_FEED_KEY_FILE })
  if (key.length >= minKeyCharacters) return key
  throw new Error(`the file ${env.CALENDAR_FEED_KEY_FILE} must hold at least ${minKeyCharacters} characters`)
}
