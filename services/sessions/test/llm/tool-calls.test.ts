import { ServiceError } from '@parlance/contracts'
import type { StreamedCall, StreamedProtocol } from '@parlance/testing/stand-ins'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createAiLanguageModel } from '../../src/llm/ai-language-model.js'
import { createFallbackLanguageModel } from '../../src/llm/fallback-language-model.js'
import { replyLimits, type ToolDescription } from '../../src/llm/language-model.js'
import type { SdkModel } from '../../src/llm/sdk-call.js'
import { closeScenes, openScene, providers, readReply, sendEvents } from './model-scene.js'

afterEach(closeScenes)

const weather: ToolDescription = {
  name: 'weather',
  description: 'Returns the weather.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const canCall = { tools: [weather], mayCall: true }

const call = (id: string, ...json: string[]): StreamedCall => ({ id, name: 'weather', json })
const inBerlin = call('call_1', '{"ci', 'ty":', '"Berlin"}')
/** It can be parsed, and then not be written. */
const deep = `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`
const usage = { inputTokens: 12, outputTokens: 7 }

const replyWith = (protocol: StreamedProtocol, texts: readonly string[], calls: readonly StreamedCall[]) =>
  [...protocol.head, ...texts.map(protocol.text), ...protocol.tail(usage, calls)].join('')

describe.each(providers)('tools of a remote model: $provider', ({ provider, protocol }) => {
  const open = (texts: readonly string[], ...calls: StreamedCall[]) =>
    openScene(provider, (_, response) => void response.end(replyWith(protocol, texts, calls)))

  test('a call in parts is reported when it is complete, after the text before it', async () => {
    const { model } = await open(['Let me', ' look.'], inBerlin)
    const { texts, calls, last, error } = await readReply(model, canCall)
    expect(error).toBeUndefined()
    expect(texts.join('')).toBe('Let me look.')
    expect(calls).toEqual([{ id: 'call_1', name: 'weather', arguments: { city: 'Berlin' } }])
    expect(last).toEqual({ event: 'done', ...usage })
  })

  test('a reply may consist only of calls, and have several', async () => {
    const { model } = await open([], inBerlin, call('call_2', '{"city":"Rome"}'))
    const { texts, calls, error } = await readReply(model, canCall)
    expect(error).toBeUndefined()
    expect(texts).toEqual([])
    expect(calls.map(({ id, arguments: given }) => [id, given])).toEqual([
      ['call_1', { city: 'Berlin' }],
      ['call_2', { city: 'Rome' }],
    ])
  })

  test('arguments that are not JSON or nested too deep stay text, and missing arguments are an empty object', async () => {
    const { model } = await open([], call('call_1', '{"city":', 'Berlin'), call('call_2', ''), call('call_3', deep))
    const { calls } = await readReply(model, { ...canCall, maxOutputTokens: 1000 })
    expect(calls.map(({ arguments: given }) => given)).toEqual(['{"city":Berlin', {}, deep])
  })

  test('the number of calls and the length of their arguments are limited', async () => {
    const long = call('long', JSON.stringify({ city: 'x'.repeat(replyLimits.argumentCharacters) }))
    const many = Array.from({ length: 20 }, (_, i) => call(`call_${i}`, '{}'))
    const { model } = await open([], long, ...many)
    const { calls } = await readReply(model, { ...canCall, maxOutputTokens: 1000 })
    expect(calls).toHaveLength(replyLimits.calls)
    expect(calls[0]!.arguments).toHaveLength(replyLimits.argumentCharacters)
  })

  test('calls are dropped when the request allows none', async () => {
    const { model } = await open(['Yes.'], inBerlin)
    expect(await readReply(model, { tools: [weather], mayCall: false })).toMatchObject({ texts: ['Yes.'], calls: [] })
    expect(await readReply(model, { tools: [], mayCall: false })).toMatchObject({ texts: ['Yes.'], calls: [] })
  })

  test('more arguments than the requested maximum are an upstream_error, and the connection is closed', async () => {
    const [begun] = protocol.tail(undefined, [call('call_1', 'y')]).filter((event) => event.includes('weather'))
    const [part] = protocol.tail(undefined, [call('call_1', 'y'.repeat(500))]).filter((event) => event.includes('yyy'))
    const { model, server } = await openScene(provider, (_, response) => {
      // In Anthropic's protocol the call is the second part of the message.
      sendEvents(response, ...protocol.head, begun!)
      const flood = () => {
        while (!response.destroyed && response.write(part));
      }
      response.on('drain', flood)
      flood()
    })
    const { error } = await readReply(model, canCall)
    expect((error as ServiceError).code).toBe('upstream_error')
    await server.requests[0]!.hungUp
  })

  test('a connection lost in the middle of a call is an upstream_error, not a call', async () => {
    const whole = replyWith(protocol, ['Let me look.'], [inBerlin])
    const { model } = await openScene(provider, (_, response) => {
      response.end(whole.slice(0, whole.indexOf('Berlin')))
    })
    const { calls, error } = await readReply(model, canCall)
    expect((error as ServiceError).code).toBe('upstream_error')
    expect(calls).toEqual([])
  })

  test('the request contains the tools, the calls and their results', async () => {
    const { model, server } = await open(['Sunny.'])
    const { error } = await readReply(model, {
      ...canCall,
      messages: [
        { role: 'user', text: 'Berlin?' },
        {
          role: 'calls',
          text: 'Let me look.',
          calls: [
            { id: 'a:1', name: 'weather', arguments: { city: 'Berlin' }, result: 'sunny', isError: false },
            { id: 'a:1', name: 'no such', arguments: 'text', result: 'no such tool', isError: true },
          ],
        },
      ],
    })
    expect(error).toBeUndefined()
    const { body } = server.requests[0]!
    const messages = body.messages as Record<string, unknown>[]
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    if (provider === 'anthropic') {
      expect(body.tools).toMatchObject([{ name: 'weather', description: 'Returns the weather.', input_schema: schema }])
      expect(body.tool_choice).toMatchObject({ type: 'auto' })
      expect(messages.slice(1)).toMatchObject([
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me look.' },
            { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Berlin' } },
            { type: 'tool_use', id: 'call_2', name: 'no_such', input: { arguments: 'text' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: 'sunny' },
            { type: 'tool_result', tool_use_id: 'call_2', content: 'no such tool', is_error: true },
          ],
        },
      ])
    } else {
      expect(body.tools).toMatchObject([{ type: 'function', function: { name: 'weather', parameters: schema } }])
      expect(body.tool_choice).toBe('auto')
      expect(messages.slice(2)).toMatchObject([
        {
          role: 'assistant',
          content: 'Let me look.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Berlin"}' } },
            { id: 'call_2', type: 'function', function: { name: 'no_such', arguments: '{"arguments":"text"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
        { role: 'tool', tool_call_id: 'call_2', content: 'no such tool' },
      ])
    }
  })

  test('a model that may not call still gets the tools; without tools the request has none', async () => {
    const { model, server } = await open(['Yes.'])
    const bare = { ...weather, parameters: {} }
    await readReply(model, { tools: [bare], mayCall: false })
    await readReply(model)
    const [withTools, withoutTools] = server.requests.map(({ body }) => body)
    expect(JSON.stringify(withTools!.tool_choice)).toContain('none')
    expect(JSON.stringify(withTools!.tools)).toContain('{"properties":{},"type":"object"}')
    expect(withoutTools).not.toHaveProperty('tools')
    expect(withoutTools).not.toHaveProperty('tool_choice')
  })

  test('a fallback calls for a model that failed', async () => {
    const broken = await openScene(provider, (_, response) => void response.writeHead(401).end())
    const { model: fallback } = await open([], inBerlin)
    const model = createFallbackLanguageModel({ model: broken.model, fallback, onFailure() {} })
    expect((await readReply(model, canCall)).calls).toHaveLength(1)
    expect(model.countsTokens).toBe(true)
  })
})

test('a model that has called a tool is not replaced by the fallback', async () => {
  const { model } = await openScene('openai', (_, response) => void response.end('data: [DONE]\n\n'))
  const half = createFallbackLanguageModel({
    model: {
      async *reply() {
        yield { event: 'call', call: { id: '1', name: 'weather', arguments: {} } }
        throw new ServiceError('upstream_error', 'Cut off.')
      },
    },
    fallback: model,
    onFailure() {},
  })
  expect((await readReply(half, canCall)).error).toMatchObject({ detail: 'Cut off.' })
})

test('the time limit is between two parts of a call, not for the whole call', async () => {
  vi.useFakeTimers()
  const stream = new TransformStream()
  const parts = stream.writable.getWriter()
  const doStream = async () => ({ stream: stream.readable })
  const model = createAiLanguageModel({ doStream } as unknown as SdkModel)
  const hearing = readReply(model, { ...canCall, timeoutMs: 100 })
  for (let part = 0; part < 10; part++) {
    await parts.write({ type: 'tool-input-delta', id: '1', delta: 'x' })
    await new Promise(setImmediate)
    vi.advanceTimersByTime(90)
  }
  await parts.write({ type: 'tool-call', toolCallId: '1', toolName: 'weather', input: '{}' })
  await new Promise(setImmediate)
  vi.advanceTimersByTime(100)
  const { error, calls } = await hearing
  expect((error as ServiceError).code).toBe('upstream_timeout')
  expect(calls).toEqual([])
  vi.useRealTimers()
})
