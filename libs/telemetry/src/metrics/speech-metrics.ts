import { Counter, Gauge, Histogram } from 'prom-client'
import { speechBucketsSeconds } from './buckets.js'
import { createTracedHistogram, type Instruments } from './instruments.js'

const realTimeFactorBuckets = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500]

/** The work of a speech worker. `engine` is the name of the engine. */
export interface SpeechMetrics {
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

  return {
    ttsTimeToFirstAudio: (engine, seconds) => ttfa.observe({ engine }, seconds),
    ttsQueueTime: (engine, seconds) => queueTime.observe({ engine }, seconds),
    ttsAudio: (engine, seconds) => audio.labels(engine).inc(seconds),
    ttsActive: (engine, count) => active.labels(engine).set(count),
    ttsWaiting: (engine, count) => waiting.labels(engine).set(count),
    ttsRealTimeFactor: (engine, factor) => realTimeFactor.labels(engine).observe(factor),
    ttsRefusal: (engine, code) => refusals.labels(engine, code).inc(),
    ttsCapacity: (engine, count) => capacity.labels(engine).set(count),
    ttsFallback: (from, to) => fallbacks.labels(from, to).inc(),
  }
}
