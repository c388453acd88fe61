/**
 * When deliveries are due: jobs of pg-boss, whose tables are in the schema of this service. A job is written in the transaction
 * that makes it due, and has ids alone. See docs/decisions/webhooks.md.
 */
import type { Database, Queryable } from '@parlance/store'
import PgBoss from 'pg-boss'
import { z } from 'zod'

const jobSchema = z.object({ workspaceId: z.string(), deliveryId: z.string(), run: z.int() })

/** An attempt of a delivery. It does nothing where the delivery has another `run` by then. */
export type DeliveryJob = z.infer<typeof jobSchema>

export interface TakenJob {
  readonly id: string
  readonly job: DeliveryJob
}

export interface JobQueue {
  /** Makes an attempt due at this time, if the transaction commits. */
  schedule(transaction: Queryable, job: DeliveryJob, at: Date): Promise<void>
  /**
   * Takes jobs that are due, of all workspaces but these. No other process gets them, until they are recovered. Resolves
   * with fewer than `limit` when no more are due.
   */
  take(limit: number, exceptWorkspaces?: readonly string[]): Promise<TakenJob[]>
  complete(id: string): Promise<void>
  /** Makes jobs due again whose process has ended without completing them, and removes old ones. */
  recover(): Promise<void>
  close(): Promise<void>
}

export const jobSchemaName = 'webhooks'
const queue = 'deliveries'
/** A delivery is never given up because processes ended. */
const maxRecoveries = 1_000
const completedJobsSeconds = 3_600

const executorOn = (queryable: Queryable): PgBoss.Db => ({
  executeSql: async (sql, values) => ({ rows: await queryable.query(sql, values) }),
})

/**
 * Statements of maintenance begin and end a transaction themselves, so that a failure would leave a connection of the pool in
 * it. They get one of ours instead.
 */
const maintenanceOn = (database: Database): PgBoss.Db => {
  const { executeSql } = executorOn(database)
  const isTransaction = /^\s*begin;(.*)commit;\s*$/is
  return {
    executeSql(sql, values) {
      const statements = isTransaction.exec(sql)?.[1]
      if (statements === undefined) return executeSql(sql, values)
      return database.transaction((transaction) => executorOn(transaction).executeSql(statements, values))
    },
  }
}

const createBoss = (db: PgBoss.Db, migrate: boolean): PgBoss => {
  const boss = new PgBoss({
    db,
    schema: jobSchemaName,
    migrate,
    supervise: false,
    schedule: false,
    archiveCompletedAfterSeconds: completedJobsSeconds,
    deleteAfterSeconds: completedJobsSeconds,
  })
  // Calls that fail reject. An error that is emitted would end the process without a listener.
  boss.on('error', () => {})
  return boss
}

/** The condition of pg-boss that a job is due, to which another one is added: it takes jobs by their queue alone. */
const isDue = 'AND start_after < now()'

/** Leaves out the jobs of these workspaces where pg-boss looks for jobs that are due. */
const withoutWorkspaces = ({ executeSql }: PgBoss.Db, workspaceIds: readonly string[]): PgBoss.Db => ({
  async executeSql(sql, values) {
    const number = values.length + 1
    const filtered = sql.replace(isDue, `${isDue} AND NOT data->>'workspaceId' = ANY ($${number}::text[])`)
    if (filtered === sql) throw new Error('pg-boss looks for jobs in another way')
    return executeSql(filtered, [...values, workspaceIds])
  },
})

/** The schema is there, and its owner may lack the right to create another. */
const withoutNewSchema = ({ executeSql }: PgBoss.Db): PgBoss.Db => ({
  executeSql: (sql, values) => executeSql(sql.replace(/create schema if not exists \w+/i, 'select 1'), values),
})

/** Makes the tables of pg-boss and its queue, or brings them up to date. */
export const installJobQueue = async (owner: Queryable): Promise<void> => {
  const boss = createBoss(withoutNewSchema(executorOn(owner)), true)
  await boss.start()
  await boss.createQueue(queue, { name: queue, policy: 'standard', retryLimit: maxRecoveries })
  await boss.stop({ graceful: false, close: false })
}

/** `attemptSeconds` is how long a job may take until it counts as one whose process has ended. */
export const openJobQueue = async (database: Database, attemptSeconds: number): Promise<JobQueue> => {
  const boss = createBoss(maintenanceOn(database), false)
  await boss.start()
  return {
    async schedule(transaction, job, at) {
      await boss.send(queue, job, {
        db: executorOn(transaction),
        startAfter: at,
        expireInSeconds: attemptSeconds,
        retryLimit: maxRecoveries,
      })
    },
    async take(limit, exceptWorkspaces = []) {
      const db = withoutWorkspaces(executorOn(database), exceptWorkspaces)
      const jobs = await boss.fetch(queue, { batchSize: limit, db })
      return jobs.map(({ id, data }) => ({ id, job: jobSchema.parse(data) }))
    },
    async complete(id) {
      await boss.complete(queue, id)
    },
    async recover() {
      await boss.maintain()
    },
    close: () => boss.stop({ graceful: false, close: false }),
  }
}
