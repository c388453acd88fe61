import { type DestinationStream, pino } from 'pino'
import { describeError } from './described-error.js'
import { allowedFields, type LogFields } from './log-fields.js'
import { currentSpan } from './tracing.js'

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'

/**
 * Takes only the fields in `log-fields.ts`; others do not compile, and are dropped at runtime. A message is a fixed sentence:
 * variable parts belong in a field. A line whose `err` was reported before is not printed.
 */
export type Logger = {
  readonly [Level in Exclude<LogLevel, 'silent'>]: {
    (message: string): void
    (fields: LogFields, message: string): void
  }
} & {
  /** A logger that adds these fields to each of its lines. */
  child(fields: LogFields): Logger
  /** Whether lines of this level are printed, so that a caller can avoid creating a line that is not. */
  isLevelEnabled(level: LogLevel): boolean
  /** Also calls `send` with each line that this logger and its children print; undefined ends that. */
  sendLinesTo(send: ((line: string) => void) | undefined): void
  /** Writes the buffered lines to the operating system. */
  flush(): void
}

interface LoggerOptions {
  /** Printed as `service` on each line. Left out where several services share a process and each has a child logger. */
  name?: string
  level?: LogLevel
  /** Default: standard output. */
  destination?: DestinationStream
}

/** How long a line may wait to be written with others. At exit and on `flush` all are written. */
const flushWithinMs = 200
const flushAtBytes = 4096

/**
 * The last check, over whole lines: keys and tokens are masked by their prefixes, wherever they appear. Looking for
 * the prefix first costs a few dozen nanoseconds a line; the expression runs on lines that need it.
 */
const masked = (line: string): string =>
  line.includes('awp_') || line.includes('awst_') || line.includes('awtt_') || line.includes('awlt_')
    ? line.replace(/\b(aw(?:p|st|tt|lt)_)[A-Za-z0-9_-]+/g, '$1…')
    : line

/** An idle process is not woken by the timer. */
const standardOutput = (): DestinationStream => {
  const output = pino.destination({ dest: 1, sync: false, minLength: flushAtBytes })
  const write = output.write.bind(output)
  let waits = false
  const flush = () => {
    waits = false
    output.flush()
  }
  return Object.assign(output, {
    write(line: string) {
      if (!waits) setTimeout(flush, flushWithinMs).unref()
      waits = true
      return write(line)
    },
  })
}

const maxCauses = 4

/** Whether an error, or one that caused it, is a `ServiceError` whose cause is in the log already. */
const isReported = (error: unknown, depth = 1): boolean =>
  error instanceof Error &&
  ((error as { isReported?: unknown }).isReported === true || (depth < maxCauses && isReported(error.cause, depth + 1)))

/** OpenTelemetry defines these names for logs in other formats. */
const traceFields = (): LogFields => {
  const span = currentSpan()
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }
}

/**
 * Lines of JSON, buffered, so that logging does not wait for the terminal or the disk. Lines of a sampled trace name it and the
 * span.
 */
export const createLogger = ({ name, level = 'info', destination }: LoggerOptions): Logger => {
  let send: ((line: string) => void) | undefined
  const printed = (line: string): string => {
    const text = masked(line)
    send?.(text)
    return text
  }
  const root = pino(
    {
      level,
      base: name === undefined ? {} : { service: name },
      formatters: { level: (label) => ({ level: label }), log: allowedFields },
      serializers: { err: describeError },
      mixin: traceFields,
      hooks: {
        streamWrite: printed,
        logMethod(args, log) {
          if (!isReported((args[0] as LogFields | undefined)?.err)) log.apply(this, args)
        },
      },
    },
    destination ?? standardOutput(),
  )
  // pino has no formatter for the fields of children; they inherit this method from the root.
  const { child } = root
  return Object.assign(root, {
    sendLinesTo(sender: typeof send): void {
      send = sender
    },
    child(this: typeof root, fields: LogFields): Logger {
      // It inherits the methods that are added here.
      return child.call(this, allowedFields({ ...fields })) as unknown as Logger
    },
  })
}
