/**
 * All fields that a log line may have. A field that is not listed is never printed, and neither is an object under an allowed
 * name: this list, which is reviewed, decides what a log may show, and not the code that logs. Fields that could contain a
 * user's words or a secret do not belong here.
 */
const loggedFields = [
  'service',
  'instanceId',
  'component',
  'requestId',
  'trace_id',
  'span_id',
  'workspaceId',
  'publicKey',
  'agentId',
  'sessionId',
  'webhookId',
  'engine',
  'fallbackEngine',
  'implementation',
  'version',
  'language',
  'method',
  'route',
  'status',
  'code',
  'subject',
  'host',
  'port',
  'pid',
  'signal',
  'exitCode',
  'schema',
  'migration',
  'folder',
  'attempt',
  'position',
  'count',
  'capacity',
  'bytes',
  'durationMs',
  'deadlineMs',
] as const

type LoggedValue = string | number | boolean | null | undefined

/** The fields of one log line. `err` may be anything that was thrown. */
export type LogFields = { readonly [Name in (typeof loggedFields)[number]]?: LoggedValue } & { readonly err?: unknown }

const isLogged: ReadonlySet<string> = new Set(loggedFields)

const isAllowed = (name: string, value: unknown) =>
  name === 'err' || (isLogged.has(name) && (typeof value !== 'object' || value === null))

/** `fields` without those that must not be logged; the same object when all may be logged, which is the common case. */
export const allowedFields = (fields: Record<string, unknown>): Record<string, unknown> => {
  for (const name in fields) {
    if (!isAllowed(name, fields[name])) {
      return Object.fromEntries(Object.entries(fields).filter(([name, value]) => isAllowed(name, value)))
    }
  }
  return fields
}
