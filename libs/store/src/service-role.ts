import pg from 'pg'
import { messageOf } from './store-errors.js'

/** The SQLSTATEs for a role that exists already or was just created by another process. */
const isThere = /^(42710|23505)$/

/** The name of the role that works on a schema when row-level security does not bind the connecting user. */
export const serviceRoleOf = (schema: string): string => `parlance_${schema}`

/**
 * Row-level security does not bind a superuser. When it does not bind the connecting user, a role for the schema does the
 * work, with rights on nothing but the schema. Undefined when the connecting user is bound and does the work
 * itself. Called while the lock on the schema's migrations is held.
 */
export const grantToServiceRole = async (client: pg.Client, schema: string): Promise<string | undefined> => {
  const { rows } = await client.query<{ above: boolean }>(
    'select rolsuper or rolbypassrls as above from pg_roles where rolname = current_user',
  )
  if (!rows[0]?.above) return undefined
  const role = serviceRoleOf(schema)
  try {
    const found = await client.query('select from pg_roles where rolname = $1', [role])
    if (found.rowCount === 0) {
      await client.query(`create role ${role} nologin`).catch((error) => {
        if (!(error instanceof pg.DatabaseError && isThere.test(error.code ?? ''))) throw error
      })
    }
    await client.query(`grant usage on schema ${schema} to ${role}`)
    await client.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`)
    await client.query(`grant usage, select on all sequences in schema ${schema} to ${role}`)
    await client.query(`grant ${role} to current_user`)
  } catch (error) {
    throw new Error(`The role ${role} cannot be given its rights: ${messageOf(error)}`)
  }
  return role
}
