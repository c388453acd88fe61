/**
 * Attributes statements to the acting person: triggers write the audit log, and read the person from the setting
 * `parlance.actor`.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database, Queryable } from '@parlance/store'

type Pool = Database['pool']

const acting = new AsyncLocalStorage<string>()

const setActor = (local: boolean) => `select set_config('parlance.actor', $1, ${local})`

/** A transaction whose statements are attributed to this person, or to an operator when it is undefined. */
export const actAs = <Result>(
  database: Database,
  personId: string | undefined,
  work: (transaction: Queryable) => Promise<Result>,
): Promise<Result> =>
  database.transaction(async (transaction) => {
    if (personId !== undefined) await transaction.query(setActor(true), [personId])
    return work(transaction)
  })

/** Attributes the statements of `work` on connections of `createActingPool` to this person. */
export const whileActing = <Result>(personId: string, work: () => Promise<Result>): Promise<Result> =>
  acting.run(personId, work)

/** A pool for a library that acquires its own connections. */
export const createActingPool = (pool: Pool): Pool => ({
  async connect() {
    const client = await pool.connect()
    const person = acting.getStore()
    if (person === undefined) return client
    const release = client.release.bind(client)
    // The setting must not remain on the connection.
    client.release = () => {
      client.query(setActor(false), ['']).then(
        () => release(),
        (error: Error) => release(error),
      )
    }
    try {
      await client.query(setActor(false), [person])
    } catch (error) {
      release(error as Error)
      throw error
    }
    return client
  },
  end: () => pool.end(),
})
