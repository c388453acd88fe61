import type { Span, Tracing } from '@parlance/telemetry'
import { voiceId, workspaceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const ownTraceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-1111111111111111-01'

interface RecordedSpan {
  name: string
  parent: string | undefined
  link: string | undefined
  attributes: Record<string, unknown>
  ended: boolean
  error: unknown
}

const createRecordingTracing = () => {
  const spans: RecordedSpan[] = []
  const tracing: Tracing = {
    startSpan(name, _kind, { parent, link, attributes: given } = {}): Span {
      const recorded: RecordedSpan = { name, parent, link, attributes: { ...given }, ended: false, error: undefined }
      spans.push(recorded)
      return {
        traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
        spanId: '1111111111111111',
        traceparent: ownTraceparent,
        run: (work) => work(),
        hasEnded: () => recorded.ended,
        setAttribute: (key, value) => void Object.assign(recorded.attributes, { [key]: value }),
        end: (error) => void Object.assign(recorded, { ended: true, error }),
      }
    },
    startCall: () => undefined,
    close: async () => {},
  }
  return { spans, tracing }
}

let gateway: OpenGateway
const recording = createRecordingTracing()
beforeAll(async () => {
  gateway = await openGateway({ tracing: recording.tracing })
})
beforeEach(() => {
  gateway.lines.length = 0
  recording.spans.length = 0
})
afterAll(() => gateway.close())

const requestLines = () => gateway.lines.filter(({ msg }) => msg === 'A request ended')

test('a request is one line, with its route and without its path, query or body', async () => {
  const response = await gateway.post(
    '/v1/tts',
    { text: 'a secret', voice_id: voiceId },
    { headers: { 'x-request-id': 'order-4711' } },
  )
  await response.text()
  expect(gateway.lines).toEqual([
    expect.objectContaining({
      level: 'info',
      msg: 'A request ended',
      method: 'POST',
      route: '/v1/tts',
      status: 200,
      requestId: 'order-4711',
      workspaceId,
      durationMs: expect.any(Number),
    }),
  ])
  expect(JSON.stringify(gateway.lines)).not.toContain('a secret')
})

test('the log contains neither the path of an unknown route nor a query', async () => {
  await (await gateway.get('/v1/hidden')).text()
  await (await gateway.get('/v1/voices?cursor=hidden')).text()
  expect(requestLines().map(({ route }) => route)).toEqual(['unmatched', '/v1/voices'])
  expect(JSON.stringify(gateway.lines)).not.toContain('hidden')
})

test('a refusal names its code', async () => {
  await (await gateway.post('/v1/tts', {})).text()
  expect(requestLines()).toEqual([expect.objectContaining({ status: 400, code: 'invalid_request' })])
})

test('a sampled request is one span, sent along with its calls and ended with its status', async () => {
  const received: unknown[] = []
  const { synthesize } = gateway.fakes
  gateway.fakes.synthesize = (request, context) => {
    received.push(context.context)
    return synthesize(request, context)
  }
  const headers = { traceparent, 'x-request-id': 'order-4711' }
  await (await gateway.post('/v1/tts', { text: 'Hi', voice_id: voiceId }, { headers })).text()
  expect(received).toEqual([{ requestId: 'order-4711', traceparent: ownTraceparent }])
  expect(recording.spans).toEqual([
    {
      name: 'POST /v1/tts',
      parent: traceparent,
      link: undefined,
      attributes: { 'http.request.method': 'POST', 'http.route': '/v1/tts', 'http.response.status_code': 200 },
      ended: true,
      error: undefined,
    },
  ])
})

test('with CLIENT_TRACEPARENT=link a request begins a new trace, which refers to that of the client', async () => {
  const apart = await openGateway({ tracing: recording.tracing, clientTraceparent: 'link' })
  await (await apart.get('/v1/voices', { traceparent })).text()
  await apart.close()
  expect(recording.spans).toMatchObject([{ name: 'GET /v1/voices', parent: undefined, link: traceparent }])
})

test('the span of a request that failed in the server is marked as failed, that of a refused one is not', async () => {
  await (await gateway.get('/v1/voices?limit=x')).text()
  await (await gateway.get('/v1/voices', { authorization: 'Bearer awp_dev_broken' })).text()
  expect(recording.spans.map(({ error }) => error !== undefined)).toEqual([false, true])
})

test('an internal error is logged with its cause', async () => {
  await (await gateway.get('/v1/voices', { authorization: 'Bearer awp_dev_broken' })).text()
  expect(gateway.lines).toContainEqual(
    expect.objectContaining({
      level: 'error',
      msg: 'A request failed',
      code: 'internal_error',
      err: expect.objectContaining({ cause: expect.objectContaining({ message: 'secret internal trouble' }) }),
    }),
  )
})
