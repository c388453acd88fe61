import { serve } from '@parlance/bus'
import { calendarContract } from '@parlance/contracts'
import type { Platform, RunningService } from '@parlance/runtime'
import type { DatabaseSchema } from '@parlance/store'
import { z } from 'zod'
import { createCalendarHandlers } from './calendar-handlers.js'
import { createCalendarRepository } from './calendar-repository.js'
import { createFeedSignatures } from './feed-signature.js'

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
const readFeedKey = (env: CalendarEnv, readSecret: (reference: { file: string }) => string): string => {
  if (env.CALENDAR_FEED_KEY_FILE === undefined) return env.CALENDAR_FEED_KEY!
  const key = readSecret({ file: env.CALENDAR_FEED_KEY_FILE })
  if (key.length >= minKeyCharacters) return key
  throw new Error(`the file ${env.CALENDAR_FEED_KEY_FILE} must hold at least ${minKeyCharacters} characters`)
}

export const calendarSchema: DatabaseSchema = {
  schema: 'calendar',
  migrations: new URL('../../migrations/calendar/', import.meta.url),
}

/** Serves `calendarContract` until it is stopped. */
export const startCalendar = async (platform: Platform, env: CalendarEnv): Promise<RunningService> => {
  const signatures = createFeedSignatures(readFeedKey(env, platform.readSecret))
  const database = await platform.openDatabase(calendarSchema)
  const handlers = createCalendarHandlers({ calendars: createCalendarRepository(database), signatures })
  const served = await serve(platform.bus, calendarContract, handlers, platform)
  return {
    ready: () => database.ready(),
    async stop() {
      await served.stop()
      await database.close()
    },
  }
}
