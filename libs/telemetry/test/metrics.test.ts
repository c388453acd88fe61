import { setImmediate as nextTurn } from 'node:timers/promises'
import { createMetrics } from '@parlance/telemetry'

const lines = async (metrics: ReturnType<typeof createMetrics>, name: string) =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith(name))

test('a request is counted and its duration falls into the right buckets', async () => {
  const metrics = createMetrics()
  metrics.httpRequest('GET', '/v1/voices', 200, 0.0025)
  metrics.httpRequest('GET', '/v1/voices', 200, 0.01)
  metrics.httpRequest('GET', '/v1/voices', 401, 60)

  const name = 'http_server_request_duration_seconds'
  const labels = (status: number) =>
    `http_request_method="GET",http_route="/v1/voices",http_response_status_code="${status}",url_scheme="http",error_type=""`
  expect(await lines(metrics, `${name}_count`)).toEqual([
    `${name}_count{${labels(200)}} 2`,
    `${name}_count{${labels(401)}} 1`,
  ])
  const buckets = (await lines(metrics, `${name}_bucket`)).filter((line) => line.includes(labels(200)))
  const atMost = (bound: string) =>
    Number(
      buckets
        .find((line) => line.includes(`le="${bound}"`))
        ?.split(' ')
        .at(-1),
    )
  expect([atMost('0.005'), atMost('0.01'), atMost('10'), atMost('+Inf')]).toEqual([1, 2, 2, 2])
  expect(await lines(metrics, `${name}_sum`)).toEqual([
    `${name}_sum{${labels(200)}} 0.0125`,
    `${name}_sum{${labels(401)}} 60`,
  ])
})

test('the buckets of HTTP requests are those of the semantic conventions', async () => {
  const metrics = createMetrics()
  metrics.httpRequest('GET', '/v1/voices', 200, 1)
  const buckets = await lines(metrics, 'http_server_request_duration_seconds_bucket')
  const bounds = buckets.map((line) => /le="([^"]+)"/.exec(line)?.[1])
  expect(bounds.join(' ')).toBe('0.005 0.01 0.025 0.05 0.075 0.1 0.25 0.5 0.75 1 2.5 5 7.5 10 +Inf')
})

test('labels that clients and workspaces choose have a limited number of time series', async () => {
  const metrics = createMetrics()
  for (let index = 0; index < 1_000; index++) {
    metrics.httpRequest(`METHOD${index}`, undefined, 404, 0.001)
    metrics.modelDone({ operation: 'chat', provider: 'openai', model: `model-${index}` }, 1, undefined)
  }
  expect(await lines(metrics, 'http_server_request_duration_seconds_count')).toEqual([
    expect.stringContaining('http_request_method="_OTHER"'),
  ])
  const models = await lines(metrics, 'gen_ai_client_operation_duration_seconds_count')
  expect(models).toHaveLength(51)
  expect(models.at(-1)).toMatch(/gen_ai_request_model="other".* 950$/)
})

test('a metric without labels is printed as zero before its first use', async () => {
  const metrics = createMetrics()
  expect(await lines(metrics, 'parlance_streams_active')).toEqual(['parlance_streams_active 0'])
  metrics.streamsActive(3)
  metrics.streamsActive(2)
  expect(await lines(metrics, 'parlance_streams_active')).toEqual(['parlance_streams_active 2'])
})

test('label values are escaped', async () => {
  const metrics = createMetrics()
  metrics.engineRestart('a"b\\c\nd')
  expect(await lines(metrics, 'parlance_engine_restarts_total')).toEqual([
    String.raw`parlance_engine_restarts_total{engine="a\"b\\c\nd"} 1`,
  ])
})

test('two sets of metrics in one process are independent', async () => {
  const [one, other] = [createMetrics(), createMetrics()]
  one.busCall('auth', 'verifyKey', 'ok', 0.001)
  expect(await lines(other, 'parlance_bus_calls_total')).toEqual([])
})

test('metrics of the process are present when requested', async () => {
  expect(await lines(createMetrics({ ofProcess: true }), 'process_cpu_seconds_total')).toHaveLength(1)
  expect(await lines(createMetrics(), 'process_cpu_seconds_total')).toEqual([])
})

test('the delay of the event loop is the lateness of a check, without the time between two checks', async () => {
  const metrics = createMetrics({ ofProcess: true })
  const latest = async () => {
    const [line] = await lines(metrics, 'nodejs_eventloop_lag_max_seconds ')
    return Number(line?.split(' ').at(-1))
  }
  // The first check only sets the reference time, so it is never late.
  let longest = 0
  while ((await latest()) === 0) {
    const beganMs = performance.now()
    while (performance.now() - beganMs < 600);
    await nextTurn()
    longest = Math.max(longest, (performance.now() - beganMs) / 1000)
  }
  // It is checked every 200 ms, so the check was due by then.
  expect(await latest()).toBeGreaterThan(0.35)
  expect(await latest()).toBeLessThan(longest - 0.1)
})
