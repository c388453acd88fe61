import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ServiceError } from '@parlance/contracts'
import { openTracing, type Tracing, type TracingOptions } from '@parlance/telemetry'

interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  status: { code?: number }
  attributes: { key: string; value: Record<string, unknown> }[]
}

interface TraceExport {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] }
    scopeSpans: { spans: SentSpan[] }[]
  }[]
}

/** A collector that keeps what it receives. */
const openSink = async () => {
  const exports: TraceExport[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    headers.push(request.headers)
    if (request.headers['content-type'] !== 'application/json') return void response.end()
    void json(request).then((body) => {
      exports.push(body as TraceExport)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    exports,
    headers,
    spans: () => exports.flatMap((sent) => sent.resourceSpans.flatMap((r) => r.scopeSpans.flatMap((s) => s.spans))),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

let sink: Awaited<ReturnType<typeof openSink>>
beforeEach(async () => {
  sink = await openSink()
})
afterEach(() => sink.close())

/** The SDK reads the variables when it is started. */
const openWith = async (
  variables: Readonly<Record<string, string>> = {},
  options: Partial<TracingOptions> = {},
): Promise<Tracing> => {
  const given = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: sink.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    ...variables,
  }
  Object.assign(process.env, given)
  try {
    return await openTracing({ serviceName: 'tts', instanceId: 'i-1', ...options })
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
  const client = tracing.startSpan('tts.synthesize', 'client', server?.traceparent)
  client?.setAttribute('characters', 12)
  client?.end(new ServiceError('capacity_exhausted', 'a private sentence'))
  server?.end()
  await tracing.close()

  const [child, parent] = sink.spans()
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
  expect(JSON.stringify(sink.exports)).not.toContain('private')
  const resource = sink.exports[0]?.resourceSpans[0]?.resource.attributes
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
  expect(sink.headers[0]).toMatchObject({ 'x-tenant': 'acme', 'content-type': 'application/json' })
  expect(sink.spans()[0]?.attributes).toEqual([{ key: 'voice', value: { stringValue: 'far ' } }])
  expect(sink.exports[0]?.resourceSpans[0]?.resource.attributes).toContainEqual({
    key: 'deployment.environment.name',
    value: { stringValue: 'staging' },
  })

  const inProtobuf = await openWith({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' })
  inProtobuf.startSpan('a', 'server')?.end()
  await inProtobuf.close()
  expect(sink.headers[1]).toMatchObject({ 'content-type': 'application/x-protobuf' })
})

test("a parent's choice is kept, whatever the ratio", async () => {
  const tracing = await openWith(sampling('0.000000001'))
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const sampled = tracing.startSpan('a', 'server', `00-${traceId}-b7ad6b7169203331-01`)
  expect(sampled?.traceparent).toContain(traceId)
  expect(tracing.startSpan('a', 'server', `00-${traceId}-b7ad6b7169203331-00`)).toBeUndefined()
  sampled?.end()
  await tracing.close()
  expect(sink.spans()).toHaveLength(1)
})

test('a share without the name of a sampler is the share of the traces that begin here', async () => {
  const tracing = await openWith({}, { ratio: 1e-9 })
  expect(tracing.startSpan('a', 'server')).toBeUndefined()
  const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  expect(tracing.startSpan('a', 'server', parent)).toBeDefined()
  await tracing.close()
})

test.each([
  'nonsense',
  '00-00000000000000000000000000000000-b7ad6b7169203331-01',
  'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
])('a malformed parent counts as none: %s', async (parent) => {
  const always = await openWith()
  expect(always.startSpan('a', 'server', parent)?.traceparent).not.toContain('b7ad6b7169203331')
  await always.close()
  const hardlyEver = await openWith(sampling('0.000000001'))
  expect(hardlyEver.startSpan('a', 'server', parent)).toBeUndefined()
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
     import { openTracing } from ${JSON.stringify(built)}
     const tracing = await openTracing(${on ? "{ serviceName: 'x', instanceId: 'y' }" : undefined})
     console.log(Object.keys(Module._cache).some((file) => file.includes('@opentelemetry/sdk')))
     await tracing.close()`,
  ])
  expect(stdout.trim()).toBe(String(on))
})
