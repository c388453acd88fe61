import type { Database, Queryable } from '@parlance/store'

/** The plans, as text, of the queries that `work` makes. They are not executed: each returns no rows. */
export const explainQueries = async (
  database: Database,
  work: (explained: Database) => Promise<unknown>,
): Promise<string[]> => {
  const plans: string[] = []
  const explaining = (queryable: Queryable): Queryable => ({
    async query(sql, parameters) {
      const rows = await queryable.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, parameters)
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      return []
    },
  })
  await work({
    ...database,
    ...explaining(database),
    inWorkspace: (workspaceId, inside) => database.inWorkspace(workspaceId, (one) => inside(explaining(one))),
    acrossWorkspaces: (inside) => database.acrossWorkspaces((one) => inside(explaining(one))),
  })
  return plans
}
