import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ServiceError } from '@parlance/contracts'
import {
  createLogger,
  createMetrics,
  currentSpan,
  type OpenTelemetryOptions,
  openTelemetry,
  type Tracing,
} from '@parlance/telemetry'
import { type OtlpReceiver, startOtlpReceiver } from '@parlance/testing'

let collector: OtlpReceiver
beforeEach(async () => {
  collector = await startOtlpReceiver()
})
afterEach(() => collector.close())

/** The SDK reads the variables when it is started. */
const openWith = async (
  variables: Readonly<Record<string, string>> = {},
  options: Partial<OpenTelemetryOptions> = {},
): Promise<Tracing> => {
  const given = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    ...variables,
  }
  Object.assign(process.env, given)
  try {
    return await openTelemetry({ serviceName: 'tts', instanceId: 'i-1', traces: {}, ...options })
  } finally {
    for (const name of Object.keys(given)) delete process.env[name]
  }
}
const sampling = (share: string) => ({
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: share,
})

test('sampled spans arrive at the collector when tracing is closed, child under parent', async () => {
  const tracing = await openWith()
  const server = tracing.startSpan('POST /v1/tts', 'server')
  const client = tracing.startCall('tts.synthesize', { parent: server?.traceparent })
  client?.setAttribute('characters', 12)
  client?.end(new ServiceError('capacity_exhausted', 'a private sentence'))
  server?.end()
  await tracing.close()

  const [child, parent] = collector.spans()
  expect(server?.traceparent).toBe(`00-${parent?.traceId}-${parent?.spanId}-01`)
  expect(parent).toMatchObject({ name: 'POST /v1/tts', kind: 2 })
  expect(child).toMatchObject({
    name: 'tts.synthesize',
    kind: 3,
    traceId: parent?.traceId,
    parentSpanId: parent?.spanId,
  })
  expect(child?.status.code).toBe(2)
  expect(child?.attributes).toEqual([
    { key: 'characters', value: { intValue: 12 } },
    { key: 'error.type', value: { stringValue: 'capacity_exhausted' } },
  ])
  expect(JSON.stringify(collector.exports)).not.toContain('private')
  const resource = collector.resourceAttributes()
  expect(resource).toContainEqual({ key: 'service.name', value: { stringValue: 'tts' } })
  expect(resource).toContainEqual({ key: 'service.instance.id', value: { stringValue: 'i-1' } })
})

test("the standard variables configure the SDK: headers, resource, limits and the exporter's protocol", async () => {
  const tracing = await openWith({
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=acme',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
    OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: '4',
  })
  const span = tracing.startSpan('a', 'server')
  span?.setAttribute('voice', 'far too long')
  span?.end()
  await tracing.close()
  expect(collector.headers[0]).toMatchObject({ 'x-tenant': 'acme', 'content-type': 'application/json' })
  expect(collector.spans()[0]?.attributes).toEqual([{ key: 'voice', value: { stringValue: 'far ' } }])
  expect(collector.resourceAttributes()).toContainEqual({
    key: 'deployment.environment.name',
    value: { stringValue: 'staging' },
  })

  const inProtobuf = await openWith({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' })
  inProtobuf.startSpan('a', 'server')?.end()
  await inProtobuf.close()
  expect(collector.headers[1]).toMatchObject({ 'content-type': 'application/x-protobuf' })
})

test('the sampling decision of a parent is kept, whatever the ratio', async () => {
  const tracing = await openWith(sampling('0.000000001'))
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const sampled = tracing.startSpan('a', 'server', { parent: `00-${traceId}-b7ad6b7169203331-01` })
  expect(sampled?.traceparent).toContain(traceId)
  expect(tracing.startSpan('a', 'server', { parent: `00-${traceId}-b7ad6b7169203331-00` })).toBeUndefined()
  sampled?.end()
  await tracing.close()
  expect(collector.spans()).toHaveLength(1)
})

test('a share without the name of a sampler is the share of the traces that begin here', async () => {
  const tracing = await openWith({}, { traces: { ratio: 1e-9 } })
  expect(tracing.startSpan('a', 'server')).toBeUndefined()
  const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  expect(tracing.startSpan('a', 'server', { parent })).toBeDefined()
  await tracing.close()
})

test.each([
  'nonsense',
  '00-00000000000000000000000000000000-b7ad6b7169203331-01',
  'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
])('a malformed parent counts as none: %s', async (parent) => {
  const always = await openWith()
  expect(always.startSpan('a', 'server', { parent })?.traceparent).not.toContain('b7ad6b7169203331')
  await always.close()
  const hardlyEver = await openWith(sampling('0.000000001'))
  expect(hardlyEver.startSpan('a', 'server', { parent })).toBeUndefined()
  await hardlyEver.close()
})

test('a collector that cannot be reached is reported, and closing does not wait for it', async () => {
  const problems: string[] = []
  const tracing = await openWith(
    { OTEL_EXPORTER_OTLP_TIMEOUT: '200', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/v1/traces' },
    { onProblem: (message) => problems.push(message) },
  )
  tracing.startSpan('a', 'server')?.end()
  await tracing.close()
  expect(problems.length).toBeGreaterThan(0)
})

test.each([false, true])("OpenTelemetry's SDK is loaded only when tracing is on: %s", async (on) => {
  const built = fileURLToPath(new URL('../dist/index.js', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { Module } from 'node:module'
     import { openTelemetry } from ${JSON.stringify(built)}
     const tracing = await openTelemetry(${on ? "{ serviceName: 'x', instanceId: 'y', traces: {} }" : undefined})
     console.log(Object.keys(Module._cache).some((file) => file.includes('@opentelemetry/sdk')))
     await tracing.close()`,
  ])
  expect(stdout.trim()).toBe(String(on))
})

test('a span is the current one for its work, until the span ends', async () => {
  const tracing = await openWith()
  const span = tracing.startSpan('a', 'server')
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const seen = span?.run(async () => {
    const during = currentSpan()
    tracing.startCall('SELECT agents')?.end()
    await held
    return { during, after: currentSpan(), lateCall: tracing.startCall('SELECT agents') }
  })
  expect(currentSpan()).toBeUndefined()
  span?.end()
  release()
  expect(await seen).toEqual({ during: span, after: undefined, lateCall: undefined })
  expect(tracing.startCall('SELECT agents')).toBeUndefined()
  await tracing.close()
  expect(collector.spans()).toMatchObject([
    { name: 'SELECT agents', kind: 3, parentSpanId: span?.spanId },
    { name: 'a', spanId: span?.spanId },
  ])
})

test('a trace that begins here names the one that caused it', async () => {
  const tracing = await openWith()
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  tracing.startSpan('a', 'server', { link: `00-${traceId}-b7ad6b7169203331-01` })?.end()
  await tracing.close()
  expect(collector.spans()).toMatchObject([{ links: [{ traceId, spanId: 'b7ad6b7169203331' }] }])
  expect(collector.spans()[0]?.traceId).not.toBe(traceId)
})

test('lines of the log name the trace and the span in which they are printed', async () => {
  const lines: string[] = []
  const logger = createLogger({ destination: { write: (line: string) => void lines.push(line) } })
  const tracing = await openWith()
  const span = tracing.startSpan('a', 'server')
  span?.run(() => logger.child({ component: 'nats' }).info('inside'))
  logger.info('outside')
  span?.end()
  await tracing.close()
  const [inside, outside] = lines.map((line) => JSON.parse(line))
  expect(inside).toMatchObject({ trace_id: span?.traceId, span_id: span?.spanId, component: 'nats' })
  expect(outside).not.toHaveProperty('trace_id')
})

test('times are printed with the trace of their latest value', async () => {
  const tracing = await openWith()
  const metrics = createMetrics({ ofProcess: true, exemplars: true })
  const span = tracing.startSpan('a', 'server')
  span?.run(() => metrics.httpRequest('GET', '/v1/voices', 200, 0.02))
  span?.end()
  await tracing.close()
  expect(metrics.contentType).toContain('application/openmetrics-text')
  const text = await metrics.text()
  const exemplar = `# {trace_id="${span?.traceId}",span_id="${span?.spanId}"} 0.02`
  const found = text.split('\n').filter((line) => line.includes(exemplar))
  expect(found).toEqual([expect.stringContaining('http_server_request_duration_seconds_bucket{le="0.025"')])
  expect(text).toMatch(/\n# EOF\n$/)
  expect(text).toContain('parlance_credit_reservations_ended_total{end="settled"} 0')
})
