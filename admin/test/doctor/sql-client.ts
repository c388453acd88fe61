import pg from 'pg'

/** Runs SQL as the user of an address. */
export interface SqlClient {
  run(sql: string): Promise<unknown>
  close(): Promise<void>
}

export const createSqlClient = async (connectionString: string): Promise<SqlClient> => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return { run: (sql) => client.query(sql), close: () => client.end() }
}
