/** Where the stores report to; `@parlance/telemetry` implements it. */
export interface StoreTelemetry {
  readonly metrics?: {
    /** A command was answered, or failed with an error of this class. */
    storeCommand(command: StoreCommand, seconds: number, errorType: string | undefined): void
  }
  readonly tracing?: {
    /** Undefined for a command that belongs to no sampled trace. */
    startCall(
      name: string,
      options: { readonly attributes: Readonly<Record<string, string>> },
    ): { end(error?: unknown): void } | undefined
  }
}

/** A command of a database. */
interface StoreCommand {
  readonly system: 'postgresql' | 'redis'
  /** The schema, of Postgres. */
  readonly namespace?: string
  /** Such as `SELECT` or `GET`. */
  readonly operation: string
}

const startSpan = ({ tracing }: StoreTelemetry, { system, namespace, operation }: StoreCommand, query?: string) =>
  tracing?.startCall(namespace === undefined ? operation : `${operation} ${namespace}`, {
    attributes: {
      'db.system.name': system,
      'db.operation.name': operation,
      ...(namespace && { 'db.namespace': namespace }),
      ...(query && { 'db.query.text': query }),
    },
  })

/**
 * Runs a command, measures it, and records it where it belongs to a sampled trace. `query` is its text, without parameters:
 * keys, parameters and results are not recorded.
 */
export const observeCommand = async <Result>(
  telemetry: StoreTelemetry,
  command: StoreCommand,
  run: () => Promise<Result>,
  query?: string,
): Promise<Result> => {
  const span = startSpan(telemetry, command, query)
  const beganMs = performance.now()
  const end = (error?: unknown) => {
    const errorType = error === undefined ? undefined : error instanceof Error ? error.name : typeof error
    telemetry.metrics?.storeCommand(command, (performance.now() - beganMs) / 1000, errorType)
    span?.end(error)
  }
  try {
    const result = await run()
    end()
    return result
  } catch (error) {
    end(error)
    throw error
  }
}
