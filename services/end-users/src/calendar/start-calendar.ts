import { serve } from '@parlance/bus'
import { calendarContract } from '@parlance/contracts'
import type { Platform, RunningService } from '@parlance/runtime'
import type { DatabaseSchema } from '@parlance/store'
import { type CalendarEnv, readFeedKey } from './calendar-env.js'
import { createCalendarHandlers } from './calendar-handlers.js'
import { createCalendarRepository } from './calendar-repository.js'
import { createFeedSignatures } from './feed-signature.js'

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
