import type { Service } from '@parlance/runtime'
import { type CalendarEnv, calendarEnv } from './calendar/calendar-env.js'
import { calendarSchema } from './calendar/calendar-schema.js'
import { startCalendar } from './calendar/start-calendar.js'

/** What is kept of the people that Agents talk with. */
export const endUsers: Service<CalendarEnv> = {
  name: 'end-users',
  needs: ['bus', 'database'],
  databases: [calendarSchema],
  env: calendarEnv,

  async start(platform, env) {
    const calendar = await startCalendar(platform, env)
    return {
      ready: () => calendar.ready(),
      stop: () => calendar.stop(),
    }
  },
}
