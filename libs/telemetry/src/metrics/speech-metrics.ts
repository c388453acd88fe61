import { Counter, Gauge, Histogram } from 'prom-client'
import { createTracedHistogram, type Instruments, speechBucketsSeconds } from './instruments.js'

const realTimeFactorBuckets = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500]

/** The work of a speech worker. `engine` is the name of the engine. */
export interface SpeechMetrics {
  ttsTimeToFirstAudio(engine: string, seconds: number): void
  ttsQueueTime(engine: string, seconds: number): void
  /** Audio that was produced, in seconds of playing time. */
  ttsAudio(engine: string, seconds: number): void
  /** Utterances being spoken now. */
  ttsActive(engine: string, count: number): void
  /** Utterances that wait for an engine. */
  ttsWaiting(engine: string, count: number): void
  /** Seconds of audio that an engine produced per second, for one utterance. */
  ttsRealTimeFactor(engine: string, factor: number): void
  /** Utterances that can be spoken at once. */
  ttsCapacity(engine: string, count: number): void
}

export const createSpeechMetrics = (instruments: Instruments): SpeechMetrics => {
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
    ttsTimeToFirstAudio: (engine, seconds) => ttfa.observe({ engine }, seconds),
    ttsQueueTime: (engine, seconds) => queueTime.observe({ engine }, seconds),
    ttsAudio: (engine, seconds) => audio.labels(engine).inc(seconds),
    ttsActive: (engine, count) => active.labels(engine).set(count),
    ttsWaiting: (engine, count) => waiting.labels(engine).set(count),
    ttsRealTimeFactor: (engine, factor) => realTimeFactor.labels(engine).observe(factor),
    ttsCapacity: (engine, count) => capacity.labels(engine).set(count),
  }
}

/** The cache of synthesized speech. */
export interface SpeechCacheMetrics {
  /** The result of a look-up in the speech cache: `hit`, `shared` or `miss`. */
  ttsCache(outcome: string): void
  /** The size of the speech cache in memory. */
  ttsCacheBytes(bytes: number): void
}

export const createSpeechCacheMetrics = ({ registers }: Instruments): SpeechCacheMetrics => {
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
    ttsCache: (outcome) => cached.labels(outcome).inc(),
    ttsCacheBytes: (bytes) => cacheBytes.set(bytes),
  }
}

/** Failures and refusals of engines. */
export interface EngineMetrics {
  /**
   * An engine is available from now on. Its counters begin at 0: without that, Prometheus would not count their first increment
   * as one.
   */
  engineAdded(engine: string): void
  /** An engine process that ended unexpectedly was replaced. */
  engineRestart(engine: string): void
  /** A request that a worker refused with `capacity_exhausted` or `draining`; most are served by another worker. */
  ttsRefusal(engine: string, code: string): void
  /** An engine could not speak a request, and another one of the same worker was used instead. */
  ttsFallback(from: string, to: string): void
}

export const createEngineMetrics = ({ registers }: Instruments): EngineMetrics => {
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
    engineAdded(engine) {
      restarts.labels(engine).inc(0)
      for (const code of ['capacity_exhausted', 'draining']) refusals.labels(engine, code).inc(0)
    },
    engineRestart: (engine) => restarts.labels(engine).inc(),
    ttsRefusal: (engine, code) => refusals.labels(engine, code).inc(),
    ttsFallback: (from, to) => fallbacks.labels(from, to).inc(),
  }
}
