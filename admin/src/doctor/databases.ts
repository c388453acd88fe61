import { reasonOf, withoutCredentials } from '@parlance/runtime/process'
import { type DatabaseSchema, inspectPostgres, type PostgresState } from '@parlance/store'
import { type CheckContext, error, type Finding, skipped } from './check.js'

const schemasOf = ({ services }: CheckContext): readonly DatabaseSchema[] =>
  services.flatMap(({ databases }) => databases ?? [])

/** Checks the state of Postgres and of the schemas of all services, or reports why it cannot be read. */
export const judgePostgres = async (
  context: CheckContext,
  judge: (state: PostgresState, place: string) => Finding[],
): Promise<Finding[]> => {
  const { DATABASE_URL: url } = context.environment
  if (!url) return [skipped('DATABASE_URL is not set; npm start runs and migrates its own Postgres.')]
  const place = withoutCredentials(url)
  let state: PostgresState
  try {
    state = await inspectPostgres(url, schemasOf(context))
  } catch (problem) {
    return [error(`No connection to ${place}: ${reasonOf(problem)}.`, 'Start Postgres, or correct DATABASE_URL.')]
  }
  return judge(state, place)
}
