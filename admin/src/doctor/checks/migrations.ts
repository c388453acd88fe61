import type { PostgresState, SchemaState } from '@parlance/store'
import { type CheckContext, error, type Finding, ok, warning } from '../check.js'
import { judgePostgres } from '../databases.js'

const schemaFindings = ({ schema, pending, unknown, changed }: SchemaState): Finding[] => [
  ...(pending.length === 0
    ? []
    : [error(`The schema ${schema} lacks ${pending.join(', ')}.`, 'Run `npx parlance migrate`.')]),
  ...(unknown.length === 0
    ? []
    : [
        warning(
          `The schema ${schema} has ${unknown.join(', ')}, which this version does not know.`,
          'Run the version that applied it, unless this one is being rolled back.',
        ),
      ]),
  ...(changed.length === 0
    ? []
    : [
        error(
          `${changed.join(', ')} of the schema ${schema} differs from the file of this version.`,
          'Run the version that applied it, and report this.',
        ),
      ]),
]

/** The problems of the migrations of a database. */
const migrationFindings = ({ schemas }: PostgresState): Finding[] => {
  const wrong = schemas.flatMap(schemaFindings)
  const count = schemas.reduce((sum, { applied }) => sum + applied.length, 0)
  return wrong.length > 0 ? wrong : [ok(`All ${count} migrations of ${schemas.length} schemas are applied.`)]
}

/** Checks that all migrations are applied, and that none is unknown or changed. */
export const checkMigrations = (context: CheckContext): Promise<Finding[]> => judgePostgres(context, migrationFindings)
