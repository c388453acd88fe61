import { fileURLToPath } from 'node:url'
import { ServiceError } from '@parlance/contracts'
import { openTelemetry, type Tracing } from '@parlance/telemetry'
import { type OtlpReceiver, startOtlpReceiver } from '@parlance/testing'
import type { Engine } from '../src/engine/engine.js'
import { openProcessEngine } from '../src/engine/process-engine.js'
import { speech, watchProcesses } from './engine-scene.js'

const fragile = fileURLToPath(new URL('./fragile-engine.mjs', import.meta.url))

describe('the log of an engine process', () => {
  const watched = watchProcesses()
  let collector: OtlpReceiver
  let tracing: Tracing
  let engine: Engine

  beforeAll(async () => {
    collector = await startOtlpReceiver()
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url
    tracing = await openTelemetry({ serviceName: 'tts', instanceId: 'i-1', traces: { ratio: 1 } })
    engine = await openProcessEngine({
      name: 'fragile',
      synthesis: 'formant',
      command: [process.execPath, fragile],
      logger: watched.logger,
      processes: 1,
      jobSilenceTimeoutMs: 1000,
    })
  })
  afterAll(async () => {
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
    await engine.close()
    await tracing.close()
    await collector.close()
  })

  const speak = async (text: string): Promise<void> => {
    for await (const event of speech(engine, text, { voice: 'Frail' })) void event
  }

  /** Speaks a text that no process survives, within a span. Resolves to the trace. */
  const speakTraced = async (text: string): Promise<string> => {
    const span = tracing.startSpan('POST /v1/tts', 'server')!
    await span.run(() => expect(speak(text)).rejects.toBeInstanceOf(ServiceError))
    span.end()
    return span.traceId
  }

  const tracesOf = (message: string) => watched.logged(message).map((line) => (line as { trace_id?: string }).trace_id)

  test('names the trace of the request during whose speech a process writes, ends or is killed', async () => {
    await watched.ready(1)
    const crashed = await speakTraced('WARN CRASH')
    expect(tracesOf('An engine process wrote to its error output')[0]).toBe(crashed)
    expect(tracesOf('An engine process ended')).toEqual([crashed])
    expect(tracesOf('An utterance failed')).toEqual([crashed])

    await watched.ready(2)
    const hung = await speakTraced('HANG')
    expect(tracesOf('An engine process is killed')).toEqual([hung])
    expect(tracesOf('An engine process ended')).toEqual([crashed, hung])
    expect(hung).not.toBe(crashed)
  })

  test('names no trace while nothing is spoken', async () => {
    await watched.ready(3)
    await engine.close()
    expect(tracesOf('An engine process ended').slice(2)).toEqual([undefined])
    expect(tracesOf('An engine process is ready')).toEqual([undefined, undefined, undefined])
  })
})
