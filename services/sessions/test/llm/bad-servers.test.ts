import { types } from 'node:util'
import { ServiceError } from '@parlance/contracts'
import { freePort } from '@parlance/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createRemoteProvider } from '../../src/llm/ai-language-model.js'
import {
  askRequest,
  closeScenes,
  openScene,
  providers,
  readReply,
  secretKey,
  sendEvents,
  wholeReply,
} from './model-scene.js'

afterEach(closeScenes)

const unhandled: unknown[] = []
const onUnhandled = (reason: unknown) => unhandled.push(reason)
beforeAll(() => void process.on('unhandledRejection', onUnhandled))
afterAll(() => {
  process.off('unhandledRejection', onUnhandled)
  expect(unhandled).toEqual([])
})

const asServiceError = (error: unknown): ServiceError => {
  expect(error).toBeInstanceOf(ServiceError)
  return error as ServiceError
}

/** All that a log could print of an error. */
const printed = (error: unknown): string =>
  types.isNativeError(error) ? `${error.name} ${error.message} ${printed(error.cause)}` : ''

/** The clock is set by the test, so that a busy machine does not matter. The network is real. */
const fakeTime = () =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
afterEach(() => void vi.useRealTimers())

const until = async (met: () => boolean) => {
  while (!met()) await new Promise(setImmediate)
}

const impatient = { timeoutMs: 250 }

describe.each(providers)('a bad server: $provider', ({ provider, protocol }) => {
  const { head, text, tail } = protocol
  const whole = wholeReply(protocol, 'Yes.')

  test.each<[string, readonly string[] | undefined, readonly string[]]>([
    ['instead of an answer', undefined, []],
    ['instead of events', [], []],
    ['instead of text', head, []],
    ['with signs of life', [...head, ': ping\n\n', ': ping\n\n'], []],
    ['after the first text', [...head, text('One')], ['One']],
  ])('silence %s is an upstream_timeout, and the connection is closed', async (_, events, expected) => {
    fakeTime()
    let answered = false
    const { model, server } = await openScene(provider, (_, response) => {
      if (events !== undefined) sendEvents(response, ...events)
      answered = true
    })
    const received: string[] = []
    let over = false
    const hearing = readReply(model, impatient, undefined, (text) => received.push(text)).finally(() => {
      over = true
    })
    await until(() => answered && received.length === expected.length)
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    vi.advanceTimersByTime(impatient.timeoutMs - 1)
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    expect(over).toBe(false)
    vi.advanceTimersByTime(1)
    const { texts, error } = await hearing
    expect(asServiceError(error).code).toBe('upstream_timeout')
    expect(texts).toEqual(expected)
    await server.requests[0]!.hungUp
    expect(server.requests).toHaveLength(1)
  })

  test('the time that the consumer takes does not count against the server', async () => {
    fakeTime()
    const { model } = await openScene(provider, (_, response) => void response.end(wholeReply(protocol, 'One', ' two')))
    const texts: string[] = []
    for await (const chunk of model.reply({ ...askRequest, ...impatient }, new AbortController().signal)) {
      if (chunk.event === 'text') texts.push(chunk.text)
      if (texts.length === 1) vi.advanceTimersByTime(impatient.timeoutMs + 50)
    }
    expect(texts).toEqual(['One', ' two'])
  })

  test('a status has its error code, and the request is repeated only if that can help', async () => {
    const expected = [
      [400, 'upstream_error', 1],
      [401, 'upstream_error', 1],
      [403, 'upstream_error', 1],
      [404, 'upstream_error', 1],
      [429, 'capacity_exhausted', 2],
      [500, 'upstream_error', 2],
      [503, 'upstream_error', 2],
      [529, 'capacity_exhausted', 2],
    ] as const
    const ends = expected.map(async ([status]) => {
      const { model, server } = await openScene(provider, (_, response) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ type: 'error', error: { type: 'some_error', message: 'No.' } }))
      })
      const error = asServiceError((await readReply(model)).error)
      expect(printed(error.cause)).toContain(`status ${status} (some_error)`)
      return [status, error.code, server.requests.length]
    })
    expect(await Promise.all(ends)).toEqual(expected)
  })

  test('the reply to the second request is used', async () => {
    const { model, server } = await openScene(provider, (_, response) => {
      if (server.requests.length === 1) response.writeHead(429).end()
      else response.end(whole)
    })
    expect((await readReply(model)).texts).toEqual(['Yes.'])
  })

  test('a server that requests a long wait is not called again', async () => {
    const { model, server } = await openScene(provider, (_, response) => {
      response.writeHead(429, { 'retry-after': '30' }).end()
    })
    expect(asServiceError((await readReply(model)).error).code).toBe('capacity_exhausted')
    expect(server.requests).toHaveLength(1)
  })

  test('an abort between two requests rejects with its reason at once, and there is no second request', async () => {
    fakeTime()
    const interruption = new AbortController()
    const { model, server } = await openScene(provider, (_, response) => {
      response.writeHead(429, { 'retry-after': '1' }).end()
    })
    const hearing = readReply(model, {}, interruption.signal)
    // What it waits for now is the time to ask again: nothing else of it goes on.
    await until(() => server.requests.length === 1)
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
    vi.advanceTimersByTime(999)
    interruption.abort(new Error('hung up'))
    expect((await hearing).error).toEqual(new Error('hung up'))
    expect(server.requests).toHaveLength(1)
  })

  test('an unreachable server is an upstream_error', async () => {
    const models = await createRemoteProvider(provider, {
      url: `http://127.0.0.1:${await freePort()}/v1`,
      key: secretKey,
    })
    const { error } = await readReply(models('stand-in'))
    expect(asServiceError(error).code).toBe('upstream_error')
    expect(printed(error)).toContain('ECONNREFUSED')
    expect((error as ServiceError).message).not.toContain('127.0.0.1')
  })

  test('a redirect is not followed', async () => {
    const elsewhere = await openScene(provider, (_, response) => void response.end(whole))
    const { model } = await openScene(provider, (_, response) => {
      response.writeHead(307, { location: `${elsewhere.server.url}/v1` }).end()
    })
    expect(asServiceError((await readReply(model)).error).code).toBe('upstream_error')
    expect(elsewhere.server.requests).toHaveLength(0)
  })

  const beginning = [...head, text('One'), text(' two')].join('')
  const halfEvent = beginning + text(' three').slice(0, -12)
  test.each<[string, string, number]>([
    ['nothing', '', 0],
    ['HTML', '<!doctype html><html><body>Welcome</body></html>', 0],
    ['JSON in place of a stream', '{"choices":[{"message":{"content":"Hi"}}]}', 0],
    ['the beginning of a reply', beginning, 2],
    ['half an event', halfEvent, 2],
    ['an event that is not JSON', `${beginning}data: {"half\n\n`, 2],
    ['bytes that are no text', '\u0000\u0001\u0002\uFFFD', 0],
  ])('%s and then the end is an upstream_error, not a short reply', async (_, body, received) => {
    const { model } = await openScene(provider, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body)
    })
    const { texts, error, last } = await readReply(model)
    expect(texts).toHaveLength(received)
    expect(last?.event).not.toBe('done')
    expect(asServiceError(error).code).toBe('upstream_error')
  })

  test.each<[string, string]>([
    ['after the beginning', beginning],
    ['in the middle of an event', halfEvent],
  ])('a connection lost %s is an upstream_error and not asked again', async (_, body) => {
    const { model, server } = await openScene(provider, (_, response) => {
      sendEvents(response, body)
      response.write('', () => setImmediate(() => response.destroy()))
    })
    const { texts, error } = await readReply(model)
    expect(texts).toEqual(['One', ' two'])
    expect(asServiceError(error).code).toBe('upstream_error')
    expect(server.requests).toHaveLength(1)
  })

  test('an error event in the middle of the stream is an upstream_error', async () => {
    const errorEvent =
      provider === 'anthropic'
        ? 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'
        : 'data: {"error":{"message":"The server is overloaded","type":"server_error","param":null,"code":null}}\n\n'
    const { model } = await openScene(provider, (_, response) => void response.end(beginning + errorEvent))
    const { texts, error } = await readReply(model)
    expect(texts).toEqual(['One', ' two'])
    expect(asServiceError(error).code).toBe('upstream_error')
  })

  test('more text than the requested maximum is an upstream_error, and the connection is closed', async () => {
    const { model, server } = await openScene(provider, (_, response) => {
      sendEvents(response, ...head)
      const flood = () => {
        while (!response.destroyed && response.write(text('word '.repeat(100))));
      }
      response.on('drain', flood)
      flood()
    })
    const { error } = await readReply(model, { maxOutputTokens: 100 })
    expect(asServiceError(error).code).toBe('upstream_error')
    await server.requests[0]!.hungUp
  })

  test('a line that does not end is an upstream_error, and the connection is closed', async () => {
    const { model, server } = await openScene(provider, (_, response) => {
      sendEvents(response, ...head, 'data: ')
      const flood = () => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
      }
      response.on('drain', flood)
      flood()
    })
    const { error } = await readReply(model, { timeoutMs: 20_000 })
    expect(asServiceError(error).code).toBe('upstream_error')
    expect(server.requests).toHaveLength(1)
    await server.requests[0]!.hungUp
  })

  test('neither the key nor the conversation nor the response is in an error', async () => {
    const answers = [
      { status: 401, body: JSON.stringify({ error: { message: `Incorrect key ${secretKey} for "Hi."` } }) },
      { status: 404, body: `<html>${secretKey} Hi.</html>` },
      { status: 200, body: `${head.join('')}data: {"surprise":"${secretKey} Hi."}\n\n` },
      { status: 200, body: `data: ${secretKey} Hi.\n\n` },
    ]
    for (const { status, body } of answers) {
      const { model } = await openScene(provider, (_, response) => void response.writeHead(status).end(body))
      const text = printed((await readReply(model)).error)
      expect(text).not.toContain(secretKey)
      expect(text).not.toContain('Hi.')
      expect(text).toContain('upstream_error')
    }
  })

  test('unknown events and fields are ignored', async () => {
    const news =
      provider === 'anthropic'
        ? [
            'event: surprise\ndata: {"type":"surprise","value":1}\n\n',
            'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"surprise_delta","x":1}}\n\n',
          ]
        : [
            ': a comment\n\n',
            'data: {"id":"1","object":"news","created":1,"model":"m","choices":[],"surprise":{"x":1}}\n\n',
            'data: {"id":"1","created":1,"model":"m","choices":[{"index":0,"delta":{"surprise":"x"},"finish_reason":null}]}\n\n',
          ]
    const { model } = await openScene(provider, (_, response) => {
      response.end([...head, text('One'), ...news, text(' two'), ...tail(undefined)].join(''))
    })
    const { texts, error } = await readReply(model)
    expect(error).toBeUndefined()
    expect(texts).toEqual(['One', ' two'])
  })
})

test('a call of an unknown tool is dropped', async () => {
  const { model } = await openScene('openai_compatible', (_, response) => {
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'open_page', arguments: '{}' } }
    const choice = { index: 0, delta: { tool_calls: [call] }, finish_reason: null }
    const { head, text, tail } = providers[0]!.protocol
    const event = `data: ${JSON.stringify({ id: '1', created: 1, model: 'm', choices: [choice] })}\n\n`
    response.end([...head, text('One'), event, ...tail(undefined)].join(''))
  })
  expect(await readReply(model)).toMatchObject({ texts: ['One'], last: { event: 'done' }, error: undefined })
})
