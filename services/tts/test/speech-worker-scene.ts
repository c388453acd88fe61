import type { PushStream } from '@parlance/async/push-stream'
import { type Client, createClient, createInProcessBus } from '@parlance/bus'
import {
  catalogContract,
  type OfferedVoice,
  type SynthesisChunk,
  type SynthesisRequest,
  ttsContract,
} from '@parlance/contracts'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import type { FallbackConfig } from '../src/engines-config.js'
import type { SpeechCaches } from '../src/speech-caches.js'
import { startSpeechWorker } from '../src/speech-worker.js'
import { createToneEngine, type ToneEngine, voice } from './tone-engine.js'

export const voiceOf = (display_name: string, variant: string): OfferedVoice => ({
  ...voice,
  id: Buffer.from(display_name.padEnd(16, '.')).toString('hex'),
  display_name,
  variants: [{ ...voice.variants[0]!, id: variant }],
})
export const ada = voiceOf('Ada', 'local')
export const nova = voiceOf('Nova', 'remote')

export const request = (fields: Partial<SynthesisRequest> = {}): SynthesisRequest => ({
  workspace_id: '5f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
  text: 'Hello there.',
  cuts: [],
  voice: nova.id,
  variant: 'remote',
  language: null,
  output: { format: 'pcm_s16le', sample_rate: 8000, bit_rate: null },
  speed: 1,
  volume: 1,
  alignment: [],
  private: false,
  ...fields,
})

/** What stops after a test, in this order. */
export const stops: (() => Promise<void>)[] = []

/** Stops the workers of each test of a suite at its end. */
export const useWorkers = (): void => {
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })
}

export interface WorkerOptions {
  readonly local?: ToneEngine
  readonly remote?: ToneEngine
  readonly fallbacks?: FallbackConfig[]
  readonly queueLimit?: number
  readonly kept?: SpeechCaches
  readonly quietMs?: number
}

export const toAda = [{ voice: 'Nova', variant: 'remote', instead: [{ voice: 'Ada', variant: 'local' }] }]

/** A worker with two engines on a bus of its own, and what it announced to the catalog. */
export const openWorker = async ({
  local = createToneEngine({ name: 'local', voices: [ada] }),
  remote = createToneEngine({ name: 'remote', voices: [nova], sampleRateHz: 16_000 }),
  fallbacks = [],
  queueLimit = 0,
  kept,
  quietMs,
}: WorkerOptions = {}) => {
  const bus = createInProcessBus()
  const metrics = createMetrics()
  const lines: { level: string; engine?: string; fallbackEngine?: string; msg: string; pid?: number }[] = []
  const logger = createLogger({ name: 'test', destination: { write: (line) => lines.push(JSON.parse(line)) } })
  const offered = new Map<string, string[]>()
  createClient(bus, catalogContract).voicesOffered.subscribe(({ engine, voices }) =>
    offered.set(
      engine,
      voices.map(({ display_name }) => display_name),
    ),
  )
  const worker = await startSpeechWorker({
    platform: { bus, instanceId: 'worker', logger, metrics, tracing: noTracing },
    engines: [local, remote],
    fallbacks,
    place: 'TTS_ENGINES_FILE: /etc/engines.json',
    queueLimit,
    kept,
    quietMs,
  })
  stops.push(() => worker.stop())
  await bus.flush()
  const tts = createClient(bus, ttsContract)
  return { bus, tts, worker, local, remote, metrics, lines, logger, offered }
}

export const collect = async (speech: PushStream<SynthesisChunk>) => {
  const all: SynthesisChunk[] = []
  await speech((chunk) => void all.push(chunk), new AbortController().signal)
  return all
}
export const speak = (
  tts: Pick<Client<typeof ttsContract>, 'synthesize'>,
  lane: string,
  fields?: Partial<SynthesisRequest>,
) => collect(tts.synthesize(request(fields), { lane }))
export const samplesOf = (chunks: SynthesisChunk[]) =>
  chunks.reduce((sum, chunk) => sum + (chunk.event === 'audio' ? chunk.data.length / 2 : 0), 0)

/** A promise, and the function that resolves it. */
export const gate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}
