import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ServiceError } from '@parlance/contracts'
import { openTracing, type TracingOptions } from '@parlance/telemetry'

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

/** Collects what is sent to it. */
const openSink = async () => {
  const exports: TraceExport[] = []
  const server = createServer((request, response) => {
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

const options = (ratio: number): TracingOptions => ({ serviceName: 'tts', instanceId: 'i-1', ratio, url: sink.url })

test('sampled spans arrive at the collector when tracing is closed, child under parent', async () => {
  const tracing = await openTracing(options(1))
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
})

test("a parent's choice is kept, whatever the ratio", async () => {
  const tracing = await openTracing(options(1e-9))
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const sampled = tracing.startSpan('a', 'server', `00-${traceId}-b7ad6b7169203331-01`)
  expect(sampled?.traceparent).toContain(traceId)
  expect(tracing.startSpan('a', 'server', `00-${traceId}-b7ad6b7169203331-00`)).toBeUndefined()
  sampled?.end()
  await tracing.close()
  expect(sink.spans()).toHaveLength(1)
})

test.each([
  'nonsense',
  '00-00000000000000000000000000000000-b7ad6b7169203331-01',
  'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
])('a malformed parent counts as none: %s', async (parent) => {
  const [always, hardlyEver] = [await openTracing(options(1)), await openTracing(options(1e-9))]
  expect(always.startSpan('a', 'server', parent)?.traceparent).not.toContain('b7ad6b7169203331')
  expect(hardlyEver.startSpan('a', 'server', parent)).toBeUndefined()
  await Promise.all([always.close(), hardlyEver.close()])
})

test('a collector that is not there harms nobody, and is reported', async () => {
  process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '200'
  const problems: string[] = []
  const tracing = await openTracing({
    ...options(1),
    url: 'http://127.0.0.1:9/v1/traces',
    onProblem: (message) => problems.push(message),
  })
  delete process.env.OTEL_EXPORTER_OTLP_TIMEOUT
  tracing.startSpan('a', 'server')?.end()
  await tracing.close()
  expect(problems.length).toBeGreaterThan(0)
})

test.each([0, 1])("OpenTelemetry's SDK is loaded only where it is used: ratio %d", async (ratio) => {
  const built = fileURLToPath(new URL('../dist/index.js', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { Module } from 'node:module'
     import { openTracing } from ${JSON.stringify(built)}
     await openTracing({ serviceName: 'x', instanceId: 'y', ratio: ${ratio}, url: 'http://127.0.0.1:9' })
     console.log(Object.keys(Module._cache).some((file) => file.includes('@opentelemetry/sdk')))`,
  ])
  expect(stdout.trim()).toBe(String(ratio > 0))
})
