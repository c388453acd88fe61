import type { CallMethod, Contract, ErrorCode, Method, StreamMethod } from '@parlance/contracts'
import { invalidRequest, ServiceError } from '@parlance/contracts'
import type { z } from 'zod'
import type { Bus, Message, Subscription } from './bus.js'
import { defaultDeadlineMs } from './call.js'
import type { CallContext } from './call-context.js'
import type { Endpoint } from './micro.js'
import { answerMicro, createEndpoint } from './micro.js'
import { produceStream } from './produced-stream.js'
import { createQueueMembership } from './queue-membership.js'
import { subjectOf } from './subject.js'
import type { BusTelemetry } from './telemetry.js'
import {
  decodeContext,
  encodeError,
  encodeErrorHeaders,
  encodeJson,
  positiveHeader,
  requestHeaders,
  tryDecodeJson,
} from './wire.js'

/** What a handler gets beside its request. */
export interface HandlerContext<Code extends ErrorCode = ErrorCode> {
  /** Answers with one of the errors that the method declares. */
  fail(code: Code, detail: string): never
  /** Aborted when the caller's time is up or, in a stream, when the caller has left. */
  readonly signal: AbortSignal
  readonly context: CallContext
  /** What was left of the caller's time when the request arrived, in ms. */
  readonly deadlineMs: number
}

type Awaitable<T> = T | Promise<T>

/** One function a method. Calls answer their reply, or its JSON as bytes; streams are async iterables of chunks. */
export type Handlers<C extends Contract> = {
  [M in keyof C['methods'] as C['methods'][M] extends { kind: 'event' }
    ? never
    : M]: C['methods'][M] extends CallMethod<infer Request, infer Reply, infer Code>
    ? (request: z.output<Request>, context: HandlerContext<Code>) => Awaitable<z.input<Reply> | Uint8Array>
    : C['methods'][M] extends StreamMethod<infer Request, infer Chunk, infer Code>
      ? (request: z.output<Request>, context: HandlerContext<Code>) => AsyncIterable<z.input<Chunk>>
      : never
}

export interface ServeOptions extends BusTelemetry {
  /** Unique among running processes. */
  instanceId: string
  /**
   * Serves the contract in a lane of its own: calls come by its name, and it leaves and joins its own queue group. For
   * an instance that does several things behind one contract, of which one may be full while another has room. Lower-case
   * letters, digits and hyphens.
   */
  lane?: string
  /** Shown by `$SRV.INFO`. */
  metadata?: Record<string, string>
}

export interface ServedContract {
  /**
   * Whether calls to no instance in particular may come here; they do from the start. Leaving loses none: those on
   * their way are still answered, later ones go to the other instances. Calls to this instance by its id always come.
   */
  setAvailable(available: boolean): void
  /** Takes nothing new, answers what runs, then resolves. */
  stop(): Promise<void>
}

/** Codes that any method may answer, declared or not: they tell of the platform, not of the request. */
const alwaysAllowed: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'internal_error',
  'unavailable',
  'upstream_timeout',
])

type AnyHandler = (request: unknown, context: HandlerContext) => unknown

/**
 * Answers a contract's calls and streams on the bus, and the `$SRV` questions of NATS' own service tools. Resolves when
 * callers can reach it.
 */
export const serve = async <C extends Contract>(
  bus: Bus,
  contract: C,
  handlers: Handlers<C>,
  options: ServeOptions,
): Promise<ServedContract> => {
  const { lane } = options
  const queue = lane === undefined ? contract.name : `${contract.name}.${lane}`
  const running = new Set<Promise<void>>()
  const endpoints: Endpoint[] = []
  const ofInstance: Subscription[] = []
  const queued: { subject: string; onMessage: (message: Message) => void }[] = []

  for (const [name, method] of Object.entries<Method>(contract.methods)) {
    if (method.kind === 'event') continue
    const endpoint = createEndpoint(name, subjectOf(contract.name, name, { lane }), queue)
    const handler = handlers[name as keyof Handlers<C>] as AnyHandler
    const answer = createAnswerer(bus, contract.name, name, method, handler, endpoint, options)
    const onMessage = (message: Message) => {
      // Something sent here without asking for an answer is not a call.
      if (message.reply === undefined) return
      const work = answer(message, message.reply).finally(() => running.delete(work))
      running.add(work)
    }
    endpoints.push(endpoint)
    queued.push({ subject: endpoint.subject, onMessage })
    ofInstance.push(bus.subscribe(subjectOf(contract.name, name, { lane, instance: options.instanceId }), onMessage))
  }
  const group = createQueueMembership(() =>
    queued.map(({ subject, onMessage }) => bus.subscribe(subject, onMessage, { queue })),
  )
  group.setJoined(true)
  const micro = answerMicro(bus, contract, endpoints, options)
  await bus.flush()

  let stopped = false
  return {
    setAvailable(available) {
      if (!stopped) group.setJoined(available)
    },
    async stop() {
      stopped = true
      group.setJoined(false)
      micro.stop()
      await Promise.all([group.drained(), ...ofInstance.map((subscription) => subscription.drain())])
      await Promise.all(running)
      await bus.flush().catch(() => undefined)
    },
  }
}

/** Never rejects: whatever goes wrong becomes an error reply and a log line. */
const createAnswerer = (
  bus: Bus,
  service: string,
  name: string,
  method: Exclude<Method, { kind: 'event' }>,
  handler: AnyHandler,
  endpoint: Endpoint,
  { logger, metrics, tracing }: ServeOptions,
) => {
  const allowed = new Set<ErrorCode>([...alwaysAllowed, ...method.errors])
  const fail = (code: ErrorCode, detail: string): never => {
    throw new ServiceError(code, detail)
  }

  const answerable = (error: unknown, requestId: string): ServiceError => {
    if (error instanceof ServiceError && allowed.has(error.code)) {
      if (error.cause !== undefined) logger?.error({ subject: `${service}.${name}`, requestId, err: error }, error.code)
      return error
    }
    logger?.error({ subject: `${service}.${name}`, requestId, err: error }, 'a handler failed')
    return new ServiceError('internal_error', 'Something went wrong on our side. Try again.')
  }

  const answerCall = async (message: Message, reply: string, context: CallContext, deadlineMs: number) => {
    try {
      const value = await handler(parse(method.request, message.data), createHandlerContext(fail, context, deadlineMs))
      bus.publish(reply, value instanceof Uint8Array ? value : encodeJson(value))
      return undefined
    } catch (error) {
      const answer = answerable(error, context.requestId)
      // Without a connection there is nowhere to answer; the caller's deadline tells it.
      if (bus.connected()) bus.publish(reply, encodeError(answer), { headers: encodeErrorHeaders(answer) })
      return answer
    }
  }

  const answerStream = (message: Message, reply: string, context: CallContext, deadlineMs: number) =>
    produceStream({
      bus,
      reply,
      window: {
        chunks: positiveHeader(message.headers, requestHeaders.windowChunks) ?? 1,
        bytes: positiveHeader(message.headers, requestHeaders.windowBytes) ?? Number.POSITIVE_INFINITY,
      },
      produce: (signal) =>
        handler(parse(method.request, message.data), { fail, signal, context, deadlineMs }) as AsyncIterable<object>,
      packing: method.kind === 'stream' ? method.packing : undefined,
      answerable: (error) => answerable(error, context.requestId),
    })

  return async (message: Message, reply: string): Promise<void> => {
    const startedMs = performance.now()
    const incoming = decodeContext(message.headers)
    const span = incoming.traceparent && tracing?.startSpan(`${service}.${name}`, 'server', incoming.traceparent)
    const context = span ? { ...incoming, traceparent: span.traceparent } : incoming
    const deadlineMs = positiveHeader(message.headers, requestHeaders.deadlineMs) ?? defaultDeadlineMs
    const answerWith = method.kind === 'call' ? answerCall : answerStream
    const outcome = await answerWith(message, reply, context, deadlineMs)
    const elapsedMs = performance.now() - startedMs
    endpoint.record(elapsedMs, outcome)
    metrics?.busCall(service, name, outcome?.code ?? 'ok', elapsedMs / 1000)
    if (span) span.end(outcome)
  }
}

/** The signal is made when a handler asks for it: most calls are over long before it could matter. */
const createHandlerContext = (
  fail: HandlerContext['fail'],
  context: CallContext,
  deadlineMs: number,
): HandlerContext => {
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
