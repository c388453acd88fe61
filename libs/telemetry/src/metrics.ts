import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { collectEventLoopDelay } from './event-loop-delay.js'

/** Every metric of Parlance has its name and labels here. */
export interface Metrics {
  readonly registry: Registry
  /** All metrics in Prometheus's text format. */
  text(): Promise<string>
  readonly contentType: string

  /** `route` is the pattern (`/v1/agents/:agentId`), never the path: one label value per route, not per caller. */
  httpRequest(method: string, route: string, status: number, seconds: number): void
  /** A call that this process answered; `code` is `ok` or an error code, `seconds` the handler's own time. */
  busCall(service: string, method: string, code: string, seconds: number): void
  /** `engine` is the name of the engine, here and below. */
  ttsTimeToFirstAudio(engine: string, seconds: number): void
  ttsQueueTime(engine: string, seconds: number): void
  /** Audio that was made, in seconds of playing time. */
  ttsAudio(engine: string, seconds: number): void
  /** Utterances being spoken now. */
  ttsActive(engine: string, count: number): void
  /** Utterances that wait for an engine. */
  ttsWaiting(engine: string, count: number): void
  /** Of one utterance: seconds of audio made in a second of an engine's time. */
  ttsRealTimeFactor(engine: string, factor: number): void
  /** A request that a worker refused with `capacity_exhausted` or `draining`; most are served by another worker. */
  ttsRefusal(engine: string, code: string): void
  /** Utterances that can be spoken at once. */
  ttsCapacity(engine: string, count: number): void
  /** An engine could not speak a request, and another one of the same worker was asked instead. */
  ttsFallback(from: string, to: string): void
  /** The result of a look-up in the speech cache: `hit`, `shared` or `miss`. */
  ttsCache(outcome: string): void
  /** The size of the speech cache in memory. */
  ttsCacheBytes(bytes: number): void
  /** WebSockets that are open. */
  streamsActive(count: number): void
  /** A context of a WebSocket stream has begun or ended. */
  streamContexts(change: 1 | -1): void
  /** From the first text that could be spoken to its first audio, as the gateway sends it. */
  streamTimeToFirstAudio(seconds: number): void
  /** Conversations that this process holds. */
  sessionsActive(count: number): void
  /** A conversation is over; `reason` is an end reason of the contract. */
  sessionEnded(reason: string): void
  /** From the end of a user's voice to the start of the Agent's. */
  sessionVoiceToVoice(seconds: number): void
  /** An engine process that ended unexpectedly was replaced. */
  engineRestart(engine: string): void
}

/** The longest timer there is, in ms: `event-loop-delay.ts` samples the event loop in place of prom-client. */
const never = 2 ** 31 - 1

const requestBucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const realTimeFactorBuckets = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500]
const speechBucketsSeconds = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 6]

/** With `ofProcess`, also CPU time, memory, event loop delay and garbage collection of this process. */
export const createMetrics = ({ ofProcess = false } = {}): Metrics => {
  const registry = new Registry()
  if (ofProcess) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: never })
    collectEventLoopDelay(registry)
  }

  const registers = [registry]
  const httpRequests = new Counter({
    registers,
    name: 'parlance_http_requests_total',
    help: 'HTTP requests answered',
    labelNames: ['method', 'route', 'status'],
  })
  const httpDuration = new Histogram({
    registers,
    name: 'parlance_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route'],
    buckets: requestBucketsSeconds,
  })
  const busCalls = new Counter({
    registers,
    name: 'parlance_bus_calls_total',
    help: 'Calls answered',
    labelNames: ['service', 'method', 'code'],
  })
  const busDuration = new Histogram({
    registers,
    name: 'parlance_bus_call_duration_seconds',
    help: 'Time that the handler of a call took, to its answer or the end of its stream',
    labelNames: ['service', 'method'],
    buckets: requestBucketsSeconds,
  })
  const ttfa = new Histogram({
    registers,
    name: 'parlance_tts_ttfa_seconds',
    help: 'Time from a request for speech to its first audio, as the service sees it',
    labelNames: ['engine'],
    buckets: speechBucketsSeconds,
  })
  const queueTime = new Histogram({
    registers,
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
  const refusals = new Counter({
    registers,
    name: 'parlance_tts_refusals_total',
    help: 'Requests for speech that a worker sent away',
    labelNames: ['engine', 'code'],
  })
  const capacity = new Gauge({
    registers,
    name: 'parlance_tts_capacity',
    help: 'Utterances that can be spoken at once',
    labelNames: ['engine'],
  })
  const fallbacks = new Counter({
    registers,
    name: 'parlance_tts_fallback_total',
    help: 'Requests for speech for which another engine was asked, because the first could not speak',
    labelNames: ['from', 'to'],
  })
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
  const restarts = new Counter({
    registers,
    name: 'parlance_engine_restarts_total',
    help: 'Engine processes replaced because they ended or hung',
    labelNames: ['engine'],
  })

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
  const streamTtfa = new Histogram({
    registers,
    name: 'parlance_stream_ttfa_seconds',
    help: 'Time from the first text of a context that could be spoken to its first audio',
    buckets: speechBucketsSeconds,
  })
  const sessions = new Gauge({
    registers,
    name: 'parlance_sessions_active',
    help: 'Conversations that are held',
  })
  const sessionEnds = new Counter({
    registers,
    name: 'parlance_sessions_ended_total',
    help: 'Conversations that are over, by why',
    labelNames: ['reason'],
  })
  const voiceToVoice = new Histogram({
    registers,
    name: 'parlance_session_voice_to_voice_seconds',
    help: "Time from the last of a user's voice to the first of the agent's",
    buckets: speechBucketsSeconds,
  })

  return {
    registry,
    text: () => registry.metrics(),
    contentType: registry.contentType,
    httpRequest(method, route, status, seconds) {
      httpRequests.labels(method, route, String(status)).inc()
      httpDuration.labels(method, route).observe(seconds)
    },
    busCall(service, method, code, seconds) {
      busCalls.labels(service, method, code).inc()
      busDuration.labels(service, method).observe(seconds)
    },
    ttsTimeToFirstAudio: (engine, seconds) => ttfa.labels(engine).observe(seconds),
    ttsQueueTime: (engine, seconds) => queueTime.labels(engine).observe(seconds),
    ttsAudio: (engine, seconds) => audio.labels(engine).inc(seconds),
    ttsActive: (engine, count) => active.labels(engine).set(count),
    ttsWaiting: (engine, count) => waiting.labels(engine).set(count),
    ttsRealTimeFactor: (engine, factor) => realTimeFactor.labels(engine).observe(factor),
    ttsRefusal: (engine, code) => refusals.labels(engine, code).inc(),
    ttsCapacity: (engine, count) => capacity.labels(engine).set(count),
    ttsFallback: (from, to) => fallbacks.labels(from, to).inc(),
    ttsCache: (outcome) => cached.labels(outcome).inc(),
    ttsCacheBytes: (bytes) => cacheBytes.set(bytes),
    streamsActive: (count) => streams.set(count),
    streamContexts: (change) => contexts.inc(change),
    streamTimeToFirstAudio: (seconds) => streamTtfa.observe(seconds),
    sessionsActive: (count) => sessions.set(count),
    sessionEnded: (reason) => sessionEnds.labels(reason).inc(),
    sessionVoiceToVoice: (seconds) => voiceToVoice.observe(seconds),
    engineRestart: (engine) => restarts.labels(engine).inc(),
  }
}
