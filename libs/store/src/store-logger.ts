/** What this package needs of a logger. */
export interface StoreLogger {
  info(
    fields: { component: string; pid?: number; port?: number; schema?: string; migration?: string },
    message: string,
  ): void
  warn(fields: { component: string; err?: unknown; count?: number; durationMs?: number }, message: string): void
  error(fields: { component: string; err: unknown }, message: string): void
}
