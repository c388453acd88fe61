import type { DatabaseSchema } from '@parlance/store'

export const calendarSchema: DatabaseSchema = {
  schema: 'calendar',
  migrations: new URL('../../migrations/calendar/', import.meta.url),
}
