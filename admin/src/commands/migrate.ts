import { type Answer, addCommand, type OutputOptions, type Runner, table } from '@parlance/cli'
import type { Command } from 'commander'

/** The result for one schema. */
export interface MigratedSchema {
  readonly schema: string
  /** Names of the files that were applied now. */
  readonly applied: readonly string[]
}

const columns = [
  { title: 'SCHEMA', cell: ({ schema }: MigratedSchema) => schema },
  { title: 'APPLIED NOW', cell: ({ applied }: MigratedSchema) => applied.join(', ') || 'nothing: up to date' },
]

export const addMigrateCommand = (
  program: Command,
  { answerAlone }: Runner,
  migrate: () => Promise<readonly MigratedSchema[]>,
): void => {
  const answerMigrated = async (): Promise<Answer> => {
    const schemas = await migrate()
    return { json: { schemas }, text: (width) => table(columns, schemas, width) }
  }
  addCommand(program, 'migrate', 'migrate the database at DATABASE_URL, before new versions start', [
    '',
    '--json',
  ]).action((options: OutputOptions) => answerAlone(options, answerMigrated))
}
