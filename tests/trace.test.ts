import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Voice } from '@parlance/contracts'
import {
  describeWithPrograms,
  freePort,
  type OtlpReceiver,
  type SentSpan,
  startNatsServer,
  startOtlpReceiver,
  startPostgresServer,
  startRedisServer,
  startStandalone,
} from '@parlance/testing'
import { type Api, createApi } from './api.js'
import { eventually } from './eventually.js'
import { readMetrics } from './metrics.js'
import { publishAgent } from './publish-agent.js'
import { connectSession } from './session-peer.js'

const callerSpanId = '00f067aa0ba902b7'
const newTraceparent = () => {
  const traceId = randomUUID().replaceAll('-', '')
  return { traceId, headers: { traceparent: `00-${traceId}-${callerSpanId}-01` } }
}

const attribute = ({ attributes }: SentSpan, name: string) =>
  attributes.find(({ key }) => key === name)?.value.stringValue

describeWithPrograms(['nats', 'redis', 'postgres'], 'one trace', () => {
  const stops: (() => Promise<unknown>)[] = []
  let collector: OtlpReceiver
  let url: string
  let api: Api
  let voice: Voice
  let metricsUrl: string

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-trace-'))
    await chmod(folder, 0o711)
    stops.push(() => rm(folder, { recursive: true, force: true }))
    const [nats, redis, postgres] = await Promise.all([startNatsServer(), startRedisServer(), startPostgresServer()])
    stops.push(() => Promise.all([nats.stop(), redis.stop(), postgres.stop()]))
    collector = await startOtlpReceiver()
    stops.push(() => collector.close())
    const healthPort = await freePort()
    const { serving, stop } = startStandalone(folder, await freePort(), {
      NATS_URL: nats.url,
      REDIS_URL: redis.url,
      DATABASE_URL: postgres.url,
      HEALTH_PORT: String(healthPort),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '200',
      // Requests without a traceparent are in no trace.
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    })
    stops.push(stop)
    const installation = await serving
    url = installation.url
    metricsUrl = `http://127.0.0.1:${healthPort}/metrics`
    api = createApi(url, installation.headers.authorization)
    voice = await api.voice()
  })
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop()
  })

  /**
   * Resolves with the spans of the trace when there is one for each name, and none lacks its parent, which ends and is sent
   * later.
   */
  const spansOf = (traceId: string, names: readonly string[]) =>
    eventually(async () => {
      const spans = collector.spans().filter((span) => span.traceId === traceId)
      const ids = new Set([callerSpanId, ...spans.map(({ spanId }) => spanId)])
      const isWhole = spans.every(({ parentSpanId }) => ids.has(parentSpanId ?? ''))
      return isWhole && names.every((name) => spans.some((span) => span.name === name)) ? spans : undefined
    })

  /** The names from the root to a span. */
  const pathTo = (spans: readonly SentSpan[], name: string): string[] => {
    const path: string[] = []
    for (
      let span = spans.find((candidate) => candidate.name === name);
      span !== undefined;
      span = spans.find(({ spanId }) => spanId === span?.parentSpanId)
    ) {
      path.unshift(span.name)
    }
    return path
  }

  test('goes from the request for a speech through gateway, NATS, services, Redis and SQL to the engine', async () => {
    const { traceId, headers } = newTraceparent()
    const request = { text: `Trace ${traceId.slice(0, 4)}.`, voice_id: voice.id, output: { format: 'wav' } }
    expect((await api.post('/v1/tts', request, headers)).status).toBe(200)
    const engine = `text_to_speech ${await engineName()}`
    const spans = await spansOf(traceId, ['POST /v1/tts', 'tts.synthesize', 'EVALSHA', engine])

    expect(pathTo(spans, engine)).toEqual(['POST /v1/tts', 'tts.synthesize', 'tts.synthesize', engine])
    const calls = spans.filter(({ name }) => name === 'tts.synthesize')
    // Once for the caller, once for the service.
    expect(calls.map(({ kind }) => kind).sort()).toEqual([2, 3])
    expect(calls.map((span) => attribute(span, 'rpc.system.name'))).toContain('nats')
    expect(pathTo(spans, 'EVALSHA')[0]).toBe('POST /v1/tts')
    expect(spans.find(({ name }) => name === 'POST /v1/tts')?.parentSpanId).toBe(callerSpanId)
    // Nothing that a user wrote, and no key, is in a span.
    expect(JSON.stringify(spans)).not.toContain(request.text)

    const listed = newTraceparent()
    expect((await api.get('/v1/agents', listed.headers)).status).toBe(200)
    const agents = await spansOf(listed.traceId, ['agents.listAgents', 'SELECT agents'])
    expect(pathTo(agents, 'SELECT agents')).toEqual([
      'GET /v1/agents',
      'agents.listAgents',
      'agents.listAgents',
      'SELECT agents',
    ])
  })

  test('goes from the start of a conversation to its turns: model, speech, engine and record', async () => {
    const { traceId, headers } = newTraceparent()
    const agentId = await publishAgent(api, { voice })
    const { body: minted } = await api.post(`/v1/agents/${agentId}/session-tokens`)
    const authorization = `Bearer ${minted.token}`
    const { body } = await api.post(
      `/v1/agents/${agentId}/sessions`,
      { transport: 'websocket' },
      { authorization, ...headers },
    )
    const socketUrl = `${url.replace('http', 'ws')}${new URL(body.websocket_url).pathname}`
    const peer = await connectSession(socketUrl, minted.token)
    peer.send({ event: 'client.ready' })
    await peer.event('session.ready')
    const id = randomUUID()
    peer.send({ event: 'text.send', id, text: 'What is your name?' })
    await peer.event('transcript', ({ role, final }) => role === 'agent' && final)
    const engine = `text_to_speech ${await engineName()}`
    const start = 'POST /v1/agents/:agentId/sessions'
    const spans = await spansOf(traceId, [start, 'invoke_agent', 'chat default', engine, 'INSERT sessions'])
    peer.send({ event: 'end' })
    peer.socket.terminate()

    const toTurn = [start, 'live-sessions.startSession', 'live-sessions.startSession', 'invoke_agent']
    expect(pathTo(spans, 'invoke_agent')).toEqual(toTurn)
    expect(pathTo(spans, 'chat default')).toEqual([...toTurn, 'chat default'])
    expect(pathTo(spans, engine)).toEqual([...toTurn, 'tts.synthesize', 'tts.synthesize', engine])
    const turn = spans.find(({ name }) => name === 'invoke_agent')!
    expect(attribute(turn, 'gen_ai.conversation.id')).toBe(body.session_id)
    const commands = spans.filter(({ parentSpanId }) =>
      spans.some(({ name, spanId }) => name === 'write conversation record' && spanId === parentSpanId),
    )
    expect(commands.map((span) => attribute(span, 'db.system.name'))).toContain('postgresql')
    expect(spans.some((span) => attribute(span, 'db.system.name') === 'redis')).toBe(true)
  })

  test('is named by the metrics as an exemplar, and a request without a traceparent is in no trace', async () => {
    const { traceId, headers } = newTraceparent()
    await api.get('/v1/avatars', headers)
    await eventually(async () => {
      const text = await readMetrics(metricsUrl)
      return (
        text.split('\n').some((line) => line.includes('http_route="/v1/avatars"') && line.includes(traceId)) ||
        undefined
      )
    })
    expect(new Set(collector.spans().map((span) => span.traceId)).size).toBeLessThanOrEqual(4)
  })

  const engineName = async (): Promise<string> => {
    const text = await readMetrics(metricsUrl)
    const active = /^parlance_tts_ttfa_seconds_count\{engine="([^"]+)"\} [1-9]/m.exec(text)
    if (active === null) throw new Error('no engine has spoken')
    return active[1]!
  }
})
