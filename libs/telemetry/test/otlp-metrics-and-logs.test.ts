import { createLogger, createMetrics, openTelemetry } from '@parlance/telemetry'
import { type OtlpReceiver, startOtlpReceiver } from '@parlance/testing'

let collector: OtlpReceiver
beforeEach(async () => {
  collector = await startOtlpReceiver()
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url
  process.env.OTEL_EXPORTER_OTLP_PROTOCOL = 'http/json'
})
afterEach(async () => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
  delete process.env.OTEL_EXPORTER_OTLP_PROTOCOL
  await collector.close()
})

const ids = { serviceName: 'tts', instanceId: 'i-1' }

test('metrics are sent by OTLP under the names of the semantic conventions, with the values that Prometheus reads', async () => {
  const metrics = createMetrics()
  const { registry } = metrics
  const telemetry = await openTelemetry({
    ...ids,
    metrics: { registry, protocol: 'http/json', intervalMs: 60_000 },
  })
  metrics.httpRequest('GET', '/v1/voices', 200, 0.02)
  metrics.httpRequest('GET', '/v1/voices', 200, 60)
  metrics.modelTokens({ operation: 'chat', provider: 'openai', model: 'm' }, { inputTokens: 3, outputTokens: 9 })
  metrics.sessionsActive(4)
  metrics.engineRestart('espeak-ng')
  await telemetry.close()

  const sent = (name: string) => collector.metrics().findLast((metric) => metric.name === name)
  const duration = sent('http.server.request.duration')
  expect(duration?.unit).toBe('s')
  expect(duration?.histogram?.dataPoints).toMatchObject([
    {
      count: 2,
      sum: 60.02,
      explicitBounds: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
      bucketCounts: [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    },
  ])
  expect(duration?.histogram?.dataPoints[0]?.attributes).toContainEqual({
    key: 'http.route',
    value: { stringValue: '/v1/voices' },
  })
  expect(sent('gen_ai.client.token.usage')).toMatchObject({ unit: '{token}' })
  expect(sent('parlance_sessions_active')?.gauge?.dataPoints).toMatchObject([{ asDouble: 4 }])
  expect(sent('parlance_engine_restarts')?.sum).toMatchObject({ isMonotonic: true, dataPoints: [{ asDouble: 1 }] })
  expect(collector.resourceAttributes()).toContainEqual({ key: 'service.name', value: { stringValue: 'tts' } })
})

test('lines of the log are sent by OTLP as they are printed, with their trace, and not after the end', async () => {
  const printed: string[] = []
  const logger = createLogger({ destination: { write: (line: string) => void printed.push(line) } })
  const telemetry = await openTelemetry({ ...ids, traces: {}, logs: logger })
  const span = telemetry.startSpan('a', 'server')
  span?.run(() => logger.child({ component: 'nats' }).warn({ count: 2, code: 'awp_secret' }, 'connection lost'))
  span?.end()
  await telemetry.close()
  logger.info('late')

  expect(collector.logs()).toMatchObject([
    {
      severityText: 'WARN',
      body: { stringValue: 'connection lost' },
      traceId: span?.traceId,
      spanId: span?.spanId,
      attributes: expect.arrayContaining([
        { key: 'component', value: { stringValue: 'nats' } },
        { key: 'count', value: { intValue: 2 } },
        { key: 'code', value: { stringValue: 'awp_…' } },
      ]),
    },
  ])
  expect(printed).toHaveLength(2)
})
