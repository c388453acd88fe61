import { type ErrorCode, invalidRequest, type Method, ServiceError } from '@parlance/contracts'
import { z } from 'zod'
import type { Bus, Message } from './bus.js'
import { defaultDeadlineMs } from './call.js'
import type { CallContext } from './call-context.js'
import type { AnyHandler, HandlerContext } from './handlers.js'
import type { Endpoint } from './micro.js'
import { answerDuplex } from './stream/answer-duplex.js'
import { produceStream } from './stream/stream-responder.js'
import type { BusTelemetry } from './telemetry.js'
import {
  decodeContext,
  encodeError,
  encodeErrorHeaders,
  encodeJson,
  isFromLaterVersion,
  positiveHeader,
  requestHeaders,
  tryDecodeJson,
} from './wire.js'

interface RequestAnswererOptions extends BusTelemetry {
  readonly bus: Bus
  readonly service: string
  /** Of the contract. */
  readonly version: string
  readonly name: string
  readonly method: Exclude<Method, { kind: 'event' }>
  readonly handler: AnyHandler
  readonly endpoint: Endpoint
}

/**
 * Runs the handler for one request. Never rejects: every failure becomes an error reply and, if it is a fault of this
 * service, a log line.
 */
export type AnswerRequest = (message: Message, reply: string) => Promise<void>

/** Codes that any method may answer, declared or not: they describe the platform, not the request. */
const alwaysAllowed: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'internal_error',
  'unavailable',
  'upstream_timeout',
])

export const createRequestAnswerer = (options: RequestAnswererOptions): AnswerRequest => {
  const { bus, service, version, name, method, handler, endpoint, logger, metrics, tracing } = options
  const subject = `${service}.${name}`
  const allowed = new Set<ErrorCode>([...alwaysAllowed, ...method.errors])
  const fail = (code: ErrorCode, detail: string): never => {
    throw new ServiceError(code, detail)
  }

  const publicError = (error: unknown, requestId: string): ServiceError => {
    if (error instanceof ServiceError && allowed.has(error.code)) {
      if (error.cause !== undefined) logger?.error({ subject, requestId, err: error }, error.code)
      return error
    }
    logger?.error({ subject, requestId, err: error }, 'A handler failed')
    return new ServiceError('internal_error', 'Something went wrong on our side. Try again.')
  }

  /**
   * During a rolling upgrade, callers of a later version may send fields that this one does not know: they are ignored. Content
   * written by users is inside the fields, and is validated as usual.
   */
  const tolerant = method.request instanceof z.ZodObject ? method.request.strip() : method.request
  const requestOf = ({ headers, data }: Message) =>
    parse(isFromLaterVersion(headers, version) ? tolerant : method.request, data)

  const answerCall = async (message: Message, reply: string, context: CallContext, deadlineMs: number) => {
    try {
      const value = await handler(requestOf(message), createCallContext(fail, context, deadlineMs))
      bus.publish(reply, value instanceof Uint8Array ? value : encodeJson(value))
      return undefined
    } catch (error) {
      const answer = publicError(error, context.requestId)
      // Without a connection no reply can be sent; the caller's deadline ends the call.
      if (bus.connected()) bus.publish(reply, encodeError(answer), { headers: encodeErrorHeaders(answer) })
      return answer
    }
  }

  const answerStream = (message: Message, reply: string, context: CallContext, deadlineMs: number) => {
    const shared = {
      bus,
      reply,
      window: {
        chunks: positiveHeader(message.headers, requestHeaders.windowChunks) ?? 1,
        bytes: positiveHeader(message.headers, requestHeaders.windowBytes) ?? Number.POSITIVE_INFINITY,
      },
      toServiceError: (error: unknown) => publicError(error, context.requestId),
    }
    const request = () => requestOf(message)
    if (method.kind === 'duplex') {
      return answerDuplex({
        ...shared,
        schema: method.input,
        handle: async (peer, signal) => void (await handler(request(), { fail, signal, context, deadlineMs }, peer)),
      })
    }
    return produceStream({
      ...shared,
      produce: (signal) => handler(request(), { fail, signal, context, deadlineMs }) as AsyncIterable<object>,
      packing: method.kind === 'stream' ? method.packing : undefined,
    })
  }

  return async (message, reply) => {
    const startedMs = performance.now()
    const incoming = decodeContext(message.headers)
    const { traceparent: parent } = incoming
    const span = parent === undefined ? undefined : tracing?.startSpan(subject, 'server', { parent })
    const context = span === undefined ? incoming : { ...incoming, traceparent: span.traceparent }
    const deadlineMs = positiveHeader(message.headers, requestHeaders.deadlineMs) ?? defaultDeadlineMs
    const answer = method.kind === 'call' ? answerCall : answerStream
    const work = () => answer(message, reply, context, deadlineMs)
    const outcome = await (span === undefined ? work() : span.run(work))
    const elapsedMs = performance.now() - startedMs
    endpoint.record(elapsedMs, outcome)
    const measure = () => metrics?.busCall(service, name, outcome?.code ?? 'ok', elapsedMs / 1000)
    if (span === undefined) return measure()
    span.run(measure)
    span.end(outcome)
  }
}

/** The signal is created when a handler reads it: most calls end long before it could be aborted. */
const createCallContext = (fail: HandlerContext['fail'], context: CallContext, deadlineMs: number): HandlerContext => {
  let signal: AbortSignal | undefined
  return {
    fail,
    context,
    deadlineMs,
    get signal() {
      signal ??= AbortSignal.timeout(deadlineMs)
      return signal
    },
  }
}

const parse = (schema: z.ZodType, data: Uint8Array): unknown => {
  const json = tryDecodeJson(data)
  if (json === undefined) throw new ServiceError('invalid_request', 'The request is not JSON.')
  const request = schema.safeParse(json)
  if (!request.success) throw invalidRequest(request.error)
  return request.data
}
