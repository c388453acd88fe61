import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describeWithPrograms, findPostgresFolder, startPostgresServer } from '@parlance/testing'

const run = promisify(execFile)

describeWithPrograms(['postgres'], 'each Postgres server', () => {
  test('has an empty cluster of its own, in UTF-8, whatever was written to another', async () => {
    const psql = async (url: string, sql: string) =>
      (await run(join(findPostgresFolder()!, 'psql'), [url, '-Atc', sql])).stdout.trim()
    const tables = `select count(*) from pg_tables where schemaname = 'public'`
    const first = await startPostgresServer()
    try {
      await psql(first.url, 'create table written ()')
      const second = await startPostgresServer()
      try {
        expect(await psql(first.url, tables)).toBe('1')
        expect(await psql(second.url, tables)).toBe('0')
        expect(await psql(second.url, 'show server_encoding')).toBe('UTF8')
      } finally {
        await second.stop()
      }
    } finally {
      await first.stop()
    }
  })
})
