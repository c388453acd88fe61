import type { DatabaseSchema } from '@parlance/store'

export const creditSchema: DatabaseSchema = {
  schema: 'credit',
  migrations: new URL('../../migrations/credit/', import.meta.url),
}
