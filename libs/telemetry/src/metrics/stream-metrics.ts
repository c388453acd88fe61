import { Gauge } from 'prom-client'
import { createTracedHistogram, type Instruments, speechBucketsSeconds } from './instruments.js'

/** Speech over WebSockets. */
export interface StreamMetrics {
  /** WebSockets that are open. */
  streamsActive(count: number): void
  /** A context of a WebSocket stream has begun or ended. */
  streamContexts(change: 1 | -1): void
  /** From the first text that could be spoken to its first audio, as the gateway sends it. */
  streamTimeToFirstAudio(seconds: number): void
}

export const createStreamMetrics = (instruments: Instruments): StreamMetrics => {
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
    streamsActive: (count) => streams.set(count),
    streamContexts: (change) => contexts.inc(change),
    streamTimeToFirstAudio: (seconds) => streamTtfa.observe({}, seconds),
  }
}
