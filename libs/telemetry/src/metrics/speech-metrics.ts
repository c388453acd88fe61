import { Counter, Gauge, Histogram } from 'prom-client'
import { speechBucketsSeconds } from './buckets.js'
import { createTracedHistogram, type Instruments } from './instruments.js'

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
