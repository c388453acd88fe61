import { ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api'
import { type AnyValueMap, type Logger as OtelLogger, SeverityNumber } from '@opentelemetry/api-logs'
import { z } from 'zod'

const severities = {
  trace: SeverityNumber.TRACE,
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
  fatal: SeverityNumber.FATAL,
} as const

/** A line as the logger prints it. */
const lineSchema = z.looseObject({
  level: z.enum(Object.keys(severities) as [keyof typeof severities]),
  time: z.number(),
  msg: z.string().default(''),
  trace_id: z.string().optional(),
  span_id: z.string().optional(),
})

/** Returns a function that sends a printed line as a record: it has passed the list of fields and the mask of secrets. */
export const createLineSender =
  (logger: OtelLogger) =>
  (line: string): void => {
    const { level, time, msg, trace_id: traceId, span_id: spanId, ...fields } = lineSchema.parse(JSON.parse(line))
    const context =
      traceId === undefined || spanId === undefined
        ? {}
        : { context: trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED }) }
    logger.emit({
      timestamp: time,
      severityNumber: severities[level],
      severityText: level.toUpperCase(),
      body: msg,
      attributes: fields as AnyValueMap,
      ...context,
    })
  }
