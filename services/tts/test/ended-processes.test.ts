import { fileURLToPath } from 'node:url'
import { createClient, createInProcessBus } from '@parlance/bus'
import { createSynthesize } from '@parlance/clients/speech'
import { type ServiceError, type SynthesisChunk, ttsContract } from '@parlance/contracts'
import { createMetrics, noTracing } from '@parlance/telemetry'
import { openProcessEngine } from '../src/engine/process-engine.js'
import { startSpeechWorker } from '../src/speech-worker.js'
import { watchProcesses } from './engine-scene.js'

const fragile = fileURLToPath(new URL('./fragile-engine.mjs', import.meta.url))

describe('two workers whose engine crashes on some texts', () => {
  const stops: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  })

  const openInstallation = async ({ jobSilenceTimeoutMs = 20_000, endedProcesses = 0 } = {}) => {
    const bus = createInProcessBus()
    const watched = [watchProcesses(), watchProcesses()]
    for (const [index, { logger }] of watched.entries()) {
      const engine = await openProcessEngine({
        name: 'fragile',
        synthesis: 'formant',
        command: [process.execPath, fragile],
        logger,
        processes: 2,
        jobSilenceTimeoutMs,
      })
      const platform = { bus, instanceId: `worker-${index}`, logger, metrics: createMetrics(), tracing: noTracing }
      const worker = await startSpeechWorker({
        platform,
        engines: [engine],
        fallbacks: [],
        place: 'TTS_ENGINES_FILE',
        queueLimit: 64,
        kept: undefined,
      })
      stops.push(engine.close, () => worker.stop())
    }
    await bus.flush()
    const tts = createClient(bus, ttsContract)
    const synthesize = createSynthesize({
      synthesize: (request, options) =>
        tts.synthesize({ ...request, ended_processes: (request.ended_processes ?? 0) + endedProcesses }, options),
    })
    const codeOf = async (text: string) => {
      const chunks: SynthesisChunk[] = []
      const request = {
        workspace_id: '5f0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d',
        text,
        cuts: [],
        voice: 'Frail',
        variant: null,
        language: null,
        speed: 1,
        volume: 1,
        alignment: [],
        private: false,
        output: { format: 'pcm_s16le' as const, sample_rate: 16_000, bit_rate: null },
      }
      const take = (chunk: SynthesisChunk) => void chunks.push(chunk)
      const speech = synthesize(request, { lane: 'fragile', deadlineMs: 25_000 })
      return speech(take, new AbortController().signal).then(
        () => chunks.at(-1)?.event,
        (error: ServiceError) => error.code,
      )
    }
    const ended = () => watched.flatMap(({ logged }) => logged('An engine process ended')).length
    return { codeOf, ended }
  }

  test('a text that ends two processes fails for good, in its worker and without a visit to another', async () => {
    const { codeOf, ended } = await openInstallation()
    expect(await codeOf('CRASH')).toBe('invalid_request')
    expect(ended()).toBe(2)
    expect(await codeOf('Hello.')).toBe('done')
  })

  test('a text with which a worker was lost before fails with the first process that it ends', async () => {
    const { codeOf, ended } = await openInstallation({ endedProcesses: 1 })
    expect(await codeOf('CRASH')).toBe('invalid_request')
    expect(ended()).toBe(1)
    expect(await codeOf('Hello.')).toBe('done')
  })

  test('a text that silences a process ends in a time-out, and is not tried again', async () => {
    const { codeOf, ended } = await openInstallation({ jobSilenceTimeoutMs: 1500 })
    expect(await codeOf('HANG')).toBe('upstream_timeout')
    expect(ended()).toBe(1)
  })
})
