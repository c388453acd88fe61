import { Counter, Gauge } from 'prom-client'
import type { Instruments } from './instruments.js'

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
