import type { DatabaseSchema } from '@parlance/store'

export const memorySchema: DatabaseSchema = {
  schema: 'memory',
  migrations: new URL('../../migrations/memory/', import.meta.url),
}
