import type { Service } from '@parlance/runtime'
import { type CalendarEnv, calendarEnv, calendarSchema, startCalendar } from './calendar/start-calendar.js'
import { memorySchema, startMemory } from './memory/memory.js'

/** Memories and calendars of the end users of Agents. */
export const endUsers: Service<CalendarEnv> = {
  name: 'end-users',
  needs: ['bus', 'database'],
  databases: [memorySchema, calendarSchema],
  env: calendarEnv,

  async start(platform, env) {
    const memory = await startMemory(platform)
    const calendar = await startCalendar(platform, env)
    return {
      ready: async () => (await memory.ready()) && (await calendar.ready()),
      async stop() {
        await calendar.stop()
        await memory.stop()
      },
    }
  },
}
