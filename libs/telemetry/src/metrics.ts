import { Counter, collectDefaultMetrics, Gauge, Histogram, type PrometheusContentType, Registry } from 'prom-client'
import { collectEventLoopDelay } from './event-loop-delay.js'
import { createTracedHistogram, type Instruments, requestBucketsSeconds, speechBucketsSeconds } from './instruments.js'

/** Families of metrics that a service records together. Every process also has those of its connections. */
export type MetricGroup =
  | 'http'
  | 'bus'
  | 'store'
  | 'streams'
  | 'speech'
  | 'sessions'
  | 'reservations'
  | 'credit'
  | 'webhooks'

interface MetricsOptions {
  /** The groups that are printed. All when left out. */
  readonly groups?: readonly MetricGroup[]
  /** Also print CPU time, memory, event loop delay and garbage collection of this process. */
  readonly ofProcess?: boolean
  /** Times name the trace of their latest value in each bucket. */
  readonly exemplars?: boolean
}

/** Clients may send any method; others count as one. */
const knownMethods: ReadonlySet<string> = new Set([
  ...['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE'],
])

/** The buckets of the semantic conventions. */
const httpBucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** Requests over HTTP, by the semantic conventions. */
const createHttpMetrics = (instruments: Instruments) => {
  const requests = createTracedHistogram(instruments, {
    name: 'http_server_request_duration_seconds',
    help: 'Time from an HTTP request to the end of its answer',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code', 'url_scheme', 'error_type'],
    buckets: httpBucketsSeconds,
  })

  return {
    /**
     * `route` is the pattern (`/v1/agents/:agentId`), never the path: one label value per route, not per caller. Undefined for
     * a path without a route.
     */
    httpRequest(method: string, route: string | undefined, status: number, seconds: number) {
      const labels = {
        http_request_method: knownMethods.has(method) ? method : '_OTHER',
        http_route: route ?? '',
        http_response_status_code: String(status),
        url_scheme: 'http',
        error_type: status >= 500 ? String(status) : '',
      }
      requests.observe(labels, seconds)
    },
  }
}

/** Calls over the bus. */
const createBusMetrics = (instruments: Instruments) => {
  const calls = new Counter({
    registers: instruments.registers,
    name: 'parlance_bus_calls_total',
    help: 'Calls answered',
    labelNames: ['service', 'method', 'code'],
  })
  const duration = createTracedHistogram(instruments, {
    name: 'parlance_bus_call_duration_seconds',
    help: 'Time that the handler of a call took, to its answer or the end of its stream',
    labelNames: ['service', 'method'],
    buckets: requestBucketsSeconds,
  })

  return {
    /** A call that this process answered; `code` is `ok` or an error code, `seconds` the handler's own time. */
    busCall(service: string, method: string, code: string, seconds: number) {
      calls.labels(service, method, code).inc()
      duration.observe({ service, method }, seconds)
    },
  }
}

/** The buckets of the semantic conventions. */
const commandBucketsSeconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

/** Databases, by the semantic conventions for their clients. */
const createStoreMetrics = (instruments: Instruments) => {
  const commands = createTracedHistogram(instruments, {
    name: 'db_client_operation_duration_seconds',
    help: 'Time of the commands of databases, with their way there and back',
    labelNames: ['db_system_name', 'db_namespace', 'db_operation_name', 'error_type'],
    buckets: commandBucketsSeconds,
  })

  return {
    /** A command was answered, or failed with an error of this class. */
    storeCommand: (
      {
        system,
        namespace = '',
        operation,
      }: { readonly system: string; readonly namespace?: string; readonly operation: string },
      seconds: number,
      errorType = '',
    ) =>
      commands.observe(
        { db_system_name: system, db_namespace: namespace, db_operation_name: operation, error_type: errorType },
        seconds,
      ),
  }
}

/** The connections to what Parlance depends on. */
const createConnectionMetrics = ({ registers }: Instruments) => {
  const losses = new Counter({
    registers,
    name: 'parlance_connection_losses_total',
    help: 'Connections to NATS and Redis that were lost',
    labelNames: ['component'],
  })
  for (const component of ['nats', 'redis']) losses.labels(component).inc(0)

  return {
    /** A connection was lost; `component` is `nats` or `redis`. */
    connectionLost: (component: string) => losses.labels(component).inc(),
  }
}

/** Speech over WebSockets. */
const createStreamMetrics = (instruments: Instruments) => {
  const { registers } = instruments
  const streams = new Gauge({
    registers,
    name: 'parlance_streams_active',
    help: 'Open WebSockets',
  })
  const contexts = new Gauge({
    registers,
    name: 'parlance_stream_contexts_active',
    help: 'Texts on their way to become speech over WebSockets',
  })
  const streamTtfa = createTracedHistogram(instruments, {
    name: 'parlance_stream_ttfa_seconds',
    help: 'Time from the first text of a context that could be spoken to its first audio',
    buckets: speechBucketsSeconds,
  })

  return {
    /** WebSockets that are open. */
    streamsActive: (count: number) => streams.set(count),
    /** A context of a WebSocket stream has begun or ended. */
    streamContexts: (change: 1 | -1) => contexts.inc(change),
    /** From the first text that could be spoken to its first audio, as the gateway sends it. */
    streamTimeToFirstAudio: (seconds: number) => streamTtfa.observe({}, seconds),
  }
}

const realTimeFactorBuckets = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500]

/** The work of a speech worker. `engine` is the name of the engine. */
const createSpeechMetrics = (instruments: Instruments) => {
  const { registers } = instruments
  const ttfa = createTracedHistogram(instruments, {
    name: 'parlance_tts_ttfa_seconds',
    help: 'Time from a request for speech to its first audio, as the service sees it',
    labelNames: ['engine'],
    buckets: speechBucketsSeconds,
  })
  const queueTime = createTracedHistogram(instruments, {
    name: 'parlance_tts_queue_seconds',
    help: 'Time that a request for speech waited for an engine',
    labelNames: ['engine'],
    buckets: speechBucketsSeconds,
  })
  const audio = new Counter({
    registers,
    name: 'parlance_tts_audio_seconds_total',
    help: 'Audio made, in seconds of playing time',
    labelNames: ['engine'],
  })
  const active = new Gauge({
    registers,
    name: 'parlance_tts_active',
    help: 'Utterances being spoken',
    labelNames: ['engine'],
  })
  const waiting = new Gauge({
    registers,
    name: 'parlance_tts_waiting',
    help: 'Utterances that wait for an engine',
    labelNames: ['engine'],
  })
  const realTimeFactor = new Histogram({
    registers,
    name: 'parlance_tts_real_time_factor',
    help: "Seconds of audio made in a second of an engine's time, for each utterance",
    labelNames: ['engine'],
    buckets: realTimeFactorBuckets,
  })
  const capacity = new Gauge({
    registers,
    name: 'parlance_tts_capacity',
    help: 'Utterances that can be spoken at once',
    labelNames: ['engine'],
  })

  return {
    ttsTimeToFirstAudio: (engine: string, seconds: number) => ttfa.observe({ engine }, seconds),
    ttsQueueTime: (engine: string, seconds: number) => queueTime.observe({ engine }, seconds),
    /** Audio that was produced, in seconds of playing time. */
    ttsAudio: (engine: string, seconds: number) => audio.labels(engine).inc(seconds),
    /** Utterances being spoken now. */
    ttsActive: (engine: string, count: number) => active.labels(engine).set(count),
    /** Utterances that wait for an engine. */
    ttsWaiting: (engine: string, count: number) => waiting.labels(engine).set(count),
    /** Seconds of audio that an engine produced per second, for one utterance. */
    ttsRealTimeFactor: (engine: string, factor: number) => realTimeFactor.labels(engine).observe(factor),
    /** Utterances that can be spoken at once. */
    ttsCapacity: (engine: string, count: number) => capacity.labels(engine).set(count),
  }
}

/** The cache of synthesized speech. */
const createSpeechCacheMetrics = ({ registers }: Instruments) => {
  const cached = new Counter({
    registers,
    name: 'parlance_tts_cache_total',
    help: 'Requests for speech by whether the speech had been kept: hit, shared (by another worker), miss',
    labelNames: ['outcome'],
  })
  const cacheBytes = new Gauge({
    registers,
    name: 'parlance_tts_cache_bytes',
    help: 'What the speeches take that are kept in memory',
  })

  return {
    /** The result of a look-up in the speech cache: `hit`, `shared` or `miss`. */
    ttsCache: (outcome: string) => cached.labels(outcome).inc(),
    /** The size of the speech cache in memory. */
    ttsCacheBytes: (bytes: number) => cacheBytes.set(bytes),
  }
}

/** Failures and refusals of engines. */
const createEngineMetrics = ({ registers }: Instruments) => {
  const restarts = new Counter({
    registers,
    name: 'parlance_engine_restarts_total',
    help: 'Engine processes replaced because they ended or hung',
    labelNames: ['engine'],
  })
  const refusals = new Counter({
    registers,
    name: 'parlance_tts_refusals_total',
    help: 'Requests for speech that a worker sent away',
    labelNames: ['engine', 'code'],
  })
  const fallbacks = new Counter({
    registers,
    name: 'parlance_tts_fallback_total',
    help: 'Requests for speech for which another engine was asked, because the first could not speak',
    labelNames: ['from', 'to'],
  })

  return {
    /**
     * An engine is available from now on. Its counters begin at 0: without that, Prometheus would not count their first increment
     * as one.
     */
    engineAdded(engine: string) {
      restarts.labels(engine).inc(0)
      for (const code of ['capacity_exhausted', 'draining']) refusals.labels(engine, code).inc(0)
    },
    /** An engine process that ended unexpectedly was replaced. */
    engineRestart: (engine: string) => restarts.labels(engine).inc(),
    /** A request that a worker refused with `capacity_exhausted` or `draining`; most are served by another worker. */
    ttsRefusal: (engine: string, code: string) => refusals.labels(engine, code).inc(),
    /** An engine could not speak a request, and another one of the same worker was used instead. */
    ttsFallback: (from: string, to: string) => fallbacks.labels(from, to).inc(),
  }
}

/** Conversations. */
const createSessionMetrics = (instruments: Instruments) => {
  const { registers } = instruments
  const sessions = new Gauge({
    registers,
    name: 'parlance_sessions_active',
    help: 'Conversations that are held',
  })
  const capacity = new Gauge({
    registers,
    name: 'parlance_sessions_capacity',
    help: 'Conversations that can be held at once',
  })
  const sessionEnds = new Counter({
    registers,
    name: 'parlance_sessions_ended_total',
    help: 'Conversations that are over, by why',
    labelNames: ['reason'],
  })
  const voiceToVoice = createTracedHistogram(instruments, {
    name: 'parlance_session_voice_to_voice_seconds',
    help: "Time from the last of a user's voice to the first of the agent's",
    buckets: speechBucketsSeconds,
  })
  const preparedReplies = new Counter({
    registers,
    name: 'parlance_session_prepared_replies_total',
    help: 'Replies that were prepared before the turn of the user was over, by what became of them',
    labelNames: ['outcome'],
  })
  const underruns = new Counter({
    registers,
    name: 'parlance_session_underruns_total',
    help: "Gaps in the agent's voice, because the next audio came too late",
  })

  return {
    /** Live conversations of this process. */
    sessionsActive: (count: number) => sessions.set(count),
    /** The maximum number of live conversations of this process. */
    sessionsCapacity: (count: number) => capacity.set(count),
    /** A conversation has ended; `reason` is an end reason of the contract. */
    sessionEnded: (reason: string) => sessionEnds.labels(reason).inc(),
    /** From the end of a user's voice to the start of the Agent's. */
    sessionVoiceToVoice: (seconds: number) => voiceToVoice.observe({}, seconds),
    /** A reply that was prepared while the user paused was used or discarded. */
    sessionPreparedReply: (outcome: 'used' | 'discarded') => preparedReplies.labels(outcome).inc(),
    /** The Agent's voice stopped in the middle of a reply, because the next audio came too late. */
    sessionUnderrun: () => underruns.inc(),
  }
}

/**
 * Limits the values of a label that customers choose: each value is a time series for as long as the process runs. Returns the
 * value, or `other` for values beyond the first `maxValues`.
 */
const createBoundedLabel = (maxValues: number): ((value: string) => string) => {
  const known = new Set<string>()
  return (value) => {
    if (known.has(value)) return value
    if (known.size >= maxValues) return 'other'
    known.add(value)
    return value
  }
}

/** A kind of request to a model. */
export interface ModelOperation {
  /** The operation, such as `chat`, as the semantic conventions name it. */
  readonly operation: string
  readonly provider: string
  /** The model, which Agents choose. */
  readonly model: string
}

const operationLabels = ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model'] as const
const durationBuckets = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const firstChunkBuckets = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const tokenBuckets = Array.from({ length: 14 }, (_, index) => 4 ** index)
/** Each model is a time series for each bucket. */
const maxModels = 50

/** Requests to language models, by the semantic conventions for generative AI. */
const createModelMetrics = (instruments: Instruments) => {
  const duration = createTracedHistogram(instruments, {
    name: 'gen_ai_client_operation_duration_seconds',
    help: 'Time of requests to models, to the end of the reply',
    labelNames: [...operationLabels, 'error_type'],
    buckets: durationBuckets,
  })
  const firstChunk = createTracedHistogram(instruments, {
    name: 'gen_ai_client_operation_time_to_first_chunk_seconds',
    help: 'Time from a request to a model to the first part of its reply',
    labelNames: [...operationLabels],
    buckets: firstChunkBuckets,
  })
  const tokens = createTracedHistogram(instruments, {
    name: 'gen_ai_client_token_usage',
    help: 'Tokens of complete replies, by whether they were read (input) or written (output)',
    labelNames: [...operationLabels, 'gen_ai_token_type'],
    buckets: tokenBuckets,
  })
  const modelLabel = createBoundedLabel(maxModels)
  const labelsOf = ({ operation, provider, model }: ModelOperation) => ({
    gen_ai_operation_name: operation,
    gen_ai_provider_name: provider,
    gen_ai_request_model: modelLabel(model),
  })

  return {
    /** A request has ended, successfully or not. */
    modelDone: (operation: ModelOperation, seconds: number, errorType = '') =>
      duration.observe({ ...labelsOf(operation), error_type: errorType }, seconds),
    /** From a request to the first part of its reply. */
    modelFirstChunk: (operation: ModelOperation, seconds: number) => firstChunk.observe(labelsOf(operation), seconds),
    /** The tokens of a complete reply. */
    modelTokens(
      operation: ModelOperation,
      { inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number },
    ) {
      const labels = labelsOf(operation)
      tokens.observe({ ...labels, gen_ai_token_type: 'input' }, inputTokens)
      tokens.observe({ ...labels, gen_ai_token_type: 'output' }, outputTokens)
    },
  }
}

/** `reservations` are made by services that sell speech, and credit is kept by the ledger, which ends reservations too. */
const createCreditMetrics = (reservations: Instruments, ledger: Instruments) => {
  const { registers } = reservations
  const open = new Gauge({
    registers,
    name: 'parlance_credit_reservations_open',
    help: 'Reservations of credit for work that is in progress',
  })
  const held = new Gauge({
    registers,
    name: 'parlance_credit_reserved_millicredits',
    help: 'Credit that is reserved for work that is in progress, in thousandths of a credit',
  })
  const ended = new Counter({
    registers: [...new Set([...registers, ...ledger.registers])],
    name: 'parlance_credit_reservations_ended_total',
    help: 'Reservations that have ended: settled (charged for), released (nothing to pay), expired (its process was lost)',
    labelNames: ['end'],
  })
  const charged = new Counter({
    registers,
    name: 'parlance_credit_charged_millicredits_total',
    help: 'Credit that was charged, in thousandths of a credit',
  })
  const fell = new Counter({
    registers: ledger.registers,
    name: 'parlance_credit_fell_total',
    help: 'Workspaces whose credit became low (below CREDIT_LOW) or exhausted, each once until credit is granted',
    labelNames: ['level'],
  })
  for (const end of ['settled', 'released', 'expired']) ended.labels(end).inc(0)
  for (const level of ['low', 'exhausted']) fell.labels(level).inc(0)

  return {
    /** A reservation was made in this process. */
    creditReserved(milliCredits: number) {
      open.inc()
      held.inc(milliCredits)
    },
    /** A reservation of this process has ended, of `heldMilliCredits`, of which `chargedMilliCredits` were charged. */
    creditEnded(end: 'settled' | 'released', heldMilliCredits: number, chargedMilliCredits: number) {
      open.dec()
      held.dec(heldMilliCredits)
      ended.labels(end).inc()
      charged.inc(chargedMilliCredits)
    },
    /** A reservation was not renewed, because its process has ended, and its credit was returned. */
    creditExpired: () => ended.labels('expired').inc(),
    /** The credit of a workspace became low, or exhausted. */
    creditFell: (level: 'low' | 'exhausted') => fell.labels(level).inc(),
  }
}

/** Deliveries of events to webhooks. */
const createWebhookMetrics = ({ registers }: Instruments) => {
  const attempts = new Histogram({
    registers,
    name: 'parlance_webhook_attempt_seconds',
    help: 'Attempts to deliver an event to a webhook, by their outcome: succeeded, failed',
    labelNames: ['outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
  })
  const disabled = new Counter({
    registers,
    name: 'parlance_webhooks_disabled_total',
    help: 'Webhooks that were disabled because they have failed for five days',
  })
  for (const outcome of ['succeeded', 'failed']) attempts.zero({ outcome })

  return {
    /** An attempt of a delivery has ended. */
    webhookAttempt: (outcome: 'succeeded' | 'failed', durationMs: number) =>
      attempts.labels(outcome).observe(durationMs / 1000),
    /** A webhook was disabled, because it has failed for too long. */
    webhookDisabled: () => disabled.inc(),
  }
}

/** The longest timer there is: `event-loop-delay.ts` samples the event loop in place of prom-client. */
const maxTimerMs = 2 ** 31 - 1

export const createMetrics = ({ groups, ofProcess = false, exemplars = false }: MetricsOptions = {}) => {
  const registry = new Registry()
  if (exemplars) registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as unknown as PrometheusContentType)
  if (ofProcess) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: maxTimerMs })
    collectEventLoopDelay(registry)
  }
  const printed = { registers: [registry], exemplars }
  const of = (group: MetricGroup) =>
    groups === undefined || groups.includes(group) ? printed : { registers: [], exemplars }
  return {
    registry,
    /** All metrics in Prometheus's text format, or in that of OpenMetrics where they have exemplars. */
    text: () => registry.metrics(),
    contentType: registry.contentType,
    ...createHttpMetrics(of('http')),
    ...createBusMetrics(of('bus')),
    ...createStoreMetrics(of('store')),
    ...createConnectionMetrics(printed),
    ...createStreamMetrics(of('streams')),
    ...createSpeechMetrics(of('speech')),
    ...createSpeechCacheMetrics(of('speech')),
    ...createEngineMetrics(of('speech')),
    ...createSessionMetrics(of('sessions')),
    ...createModelMetrics(of('sessions')),
    ...createCreditMetrics(of('reservations'), of('credit')),
    ...createWebhookMetrics(of('webhooks')),
  }
}

/** Every metric of Parlance. */
export type Metrics = ReturnType<typeof createMetrics>
