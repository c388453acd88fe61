import type { Progress } from '@parlance/cli'
import { type Environment, StartupError } from '@parlance/runtime'
import { services } from '@parlance/service-standalone'
import { migratePostgres } from '@parlance/store'
import type { MigratedSchema } from './commands/migrate.js'

/** Applies the new migrations of all services, one schema after the other. Rejects with `StartupError`. */
export const migrateDatabases = async (
  { DATABASE_URL: url }: Environment,
  progress: Progress,
): Promise<MigratedSchema[]> => {
  if (!url) {
    throw new StartupError([
      'DATABASE_URL is not set. Set it to an address such as postgres://user:password@127.0.0.1:5432/parlance; ' +
        'npm start migrates its own database at every start.',
    ])
  }
  const migrated: MigratedSchema[] = []
  for (const database of services.flatMap(({ databases }) => databases ?? [])) {
    const { schema } = database
    progress(`Schema ${schema} …`)
    try {
      migrated.push({ schema, applied: await migratePostgres({ ...database, url }) })
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/\.$/, '') : 'unknown reason'
      throw new StartupError(
        [`Schema ${schema} was not migrated: ${reason}. Fix that or DATABASE_URL, then run this again.`],
        { cause: error },
      )
    }
  }
  return migrated
}
