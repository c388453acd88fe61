import type { DatabaseSchema } from '@parlance/store'

export const tokensSchema: DatabaseSchema = {
  schema: 'tokens',
  migrations: new URL('../../migrations/tokens/', import.meta.url),
}
