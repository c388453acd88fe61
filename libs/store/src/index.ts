export type { Database, DatabaseSchema, Queryable } from './database.js'
export { type EmbeddedPostgres, FolderInUseError, openEmbeddedPostgres } from './embedded-postgres.js'
export type { PostgresState, RoleState, SchemaState } from './inspect-postgres.js'
export { inspectPostgres } from './inspect-postgres.js'
export { inspectRedis, type RedisState } from './inspect-redis.js'
export { createMemoryTtlStore } from './memory-ttl-store.js'
export {
  decodeCursor,
  fitsPage,
  following,
  type Page,
  type PageRequest,
  pageByTime,
  pageOf,
  timeOrder,
} from './page.js'
export { createPostgresOutage, createPostgresPool } from './postgres-connection.js'
export { migratePostgres, openPostgresDatabase, type PostgresDatabaseOptions } from './postgres-database.js'
export { connectRedisTtlStore } from './redis-on-demand.js'
export { UnreachableError } from './store-errors.js'
export { removeInBatches, type Sweep, startSweep } from './sweep.js'
export { takePermit } from './take-permit.js'
export type { MemoryEntries, ScriptReply, StoreScript, TtlStore } from './ttl-store.js'
