import type { Database, Queryable } from '@parlance/store'

type Weaken = (database: Database) => Database

/** A service's database without one of the two things that keep workspaces apart, so that a suite shows what the other does. */
export interface WeakenedDatabases {
  /** The filters of queries are gone. */
  readonly byRowsAlone: Weaken
  /** Row-level security is gone. */
  readonly byFiltersAlone: Weaken
  readonly byNeither: Weaken
  /** How many queries had a filter that was taken away: where there was none, nothing was shown. */
  rewritten(): number
}

const anyFilter = /workspace_id\s*(=|in\b)|\busing\s*\(/i

/** `filterLeftIn` finds a filter that was overlooked, which is an error; for queries that join by `workspace_id`, one of their own. */
export const weakenDatabases = (filterLeftIn = anyFilter): WeakenedDatabases => {
  let rewritten = 0

  /** A query that asks for any workspace. The parameter stays in it, since Postgres counts them. */
  const withoutFilter = (queryable: Queryable): Queryable => ({
    query(sql, parameters) {
      const neutral = sql
        .replace(/\b(?:\w+\.)?workspace_id = (\$\d+)/g, '$1::uuid is not null')
        .replace(/\bworkspace_id = any \((\$\d+)::uuid\[\]\)/g, '$1::uuid[] is not null')
      if (filterLeftIn.test(neutral)) throw new Error(`a filter is left in: ${neutral}`)
      if (neutral !== sql) rewritten++
      return queryable.query(neutral, parameters)
    },
  })

  return {
    byRowsAlone: (database) => ({
      ...database,
      inWorkspace: (workspaceId, work) =>
        database.inWorkspace(workspaceId, (transaction) => work(withoutFilter(transaction))),
    }),
    byFiltersAlone: (database) => ({
      ...database,
      inWorkspace: (_workspaceId, work) => database.acrossWorkspaces(work),
    }),
    byNeither: (database) => ({
      ...database,
      inWorkspace: (_workspaceId, work) => database.acrossWorkspaces((transaction) => work(withoutFilter(transaction))),
    }),
    rewritten: () => rewritten,
  }
}
