import type { Database, Queryable } from '@parlance/store'

type Weaken = (database: Database) => Database

/** A service's database without one of the two protections of workspaces, so that a suite can test the other one. */
interface WeakenedDatabases {
  /** Queries without their filters by workspace. */
  readonly byRowsAlone: Weaken
  /** Tables without row-level security. */
  readonly byFiltersAlone: Weaken
  readonly byNeither: Weaken
  /** The number of queries whose filter was removed. A suite must check that it is not 0. */
  rewritten(): number
}

const anyFilter = /workspace_id\s*(=|in\b)|\busing\s*\(/i

/**
 * `filterLeftIn` matches a remaining filter, which is an error. Services whose queries join by `workspace_id` pass
 * their own.
 */
export const weakenDatabases = (filterLeftIn = anyFilter): WeakenedDatabases => {
  let rewritten = 0

  /** The query without its filter. The parameter stays, since Postgres counts them. */
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
