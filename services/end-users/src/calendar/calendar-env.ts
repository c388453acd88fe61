import { z } from 'zod'

const shortestKey = 16

/** Of the environment: one of the two is needed. */
export const calendarEnv = z
  .object({
    CALENDAR_FEED_KEY: z
      .string()
      .min(shortestKey, { error: `It must have at least ${shortestKey} characters.` })
      .optional()
      .describe(`a secret of at least ${shortestKey} random characters, or name a file with CALENDAR_FEED_KEY_FILE`),
    CALENDAR_FEED_KEY_FILE: z
      .string()
      .optional()
      .describe('a file that holds the secret which the paths of calendar feeds are signed with'),
  })
  .refine((env) => env.CALENDAR_FEED_KEY !== undefined || env.CALENDAR_FEED_KEY_FILE !== undefined, {
    path: ['CALENDAR_FEED_KEY'],
    error: 'One of the two is needed.',
  })
export type CalendarEnv = z.infer<typeof calendarEnv>

/** Throws, without what the secret is, where there is none or it is too short. */
export const readFeedKey = (env: CalendarEnv, readSecret: (reference: { file: string }) => string): string => {
  if (env.CALENDAR_FEED_KEY_FILE === undefined) return env.CALENDAR_FEED_KEY!
  const key = readSecret({ file: env.CALENDAR_FEED_KEY_FILE })
  if (key.length >= shortestKey) return key
  throw new Error(`the file ${env.CALENDAR_FEED_KEY_FILE} must hold at least ${shortestKey} characters`)
}
