import { ServiceError } from '@parlance/contracts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { builtinLanguageModel } from '../../src/llm/builtin/builtin-language-model.js'
import type { LanguageModel } from '../../src/llm/language-model.js'
import { askRequest, closeScenes, openScene, providers, readReply, sendEvents, wholeReply } from './model-scene.js'

afterEach(closeScenes)

const models: readonly { readonly name: string; open(): Promise<LanguageModel> }[] = [
  { name: 'builtin', open: async () => builtinLanguageModel },
  ...providers.map(({ provider, protocol }) => ({
    name: provider,
    open: async () => {
      const { model } = await openScene(provider, (_, response) => {
        response.end(wholeReply(protocol, 'Hello', ' there.', ' How are', ' you?'))
      })
      return model
    },
  })),
]

describe.each(models)('any language model: $name', ({ open }) => {
  test('a reply is text in parts, then done', async () => {
    const { texts, last, error } = await readReply(await open())
    expect(error).toBeUndefined()
    expect(texts.length).toBeGreaterThan(1)
    expect(texts.every((text) => text !== '')).toBe(true)
    expect(last).toMatchObject({ event: 'done' })
  })

  test('with an aborted signal it rejects with the signal’s reason', async () => {
    const reason = new Error('not wanted')
    const { texts, error } = await readReply(await open(), {}, AbortSignal.abort(reason))
    expect(texts).toEqual([])
    expect(error).toBe(reason)
  })

  test('an abort in the middle ends the reply with the reason', async () => {
    const reason = new Error('interrupted')
    const interruption = new AbortController()
    const { texts, last, error } = await readReply(await open(), {}, interruption.signal, () =>
      interruption.abort(reason),
    )
    expect(texts).toHaveLength(1)
    expect(last).toMatchObject({ event: 'text' })
    expect(error).toBe(reason)
  })

  test('one model serves several conversations at once', async () => {
    const model = await open()
    const replies = await Promise.all([readReply(model), readReply(model), readReply(model)])
    const [first, ...others] = replies.map(({ texts }) => texts.join(''))
    expect(first).not.toBe('')
    expect(others).toEqual([first, first])
  })
})

describe.each(providers)('a remote model: $provider', ({ provider, protocol }) => {
  test('texts come in order and as they are sent, and the usage at the end', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { model } = await openScene(provider, async (_, response) => {
      sendEvents(response, ...protocol.head, protocol.text('One'))
      await held
      response.end([protocol.text(' two'), ...protocol.tail({ inputTokens: 12, outputTokens: 7 })].join(''))
    })
    const { texts, last } = await readReply(model, {}, undefined, release)
    expect(texts).toEqual(['One', ' two'])
    expect(last).toEqual({ event: 'done', inputTokens: 12, outputTokens: 7 })
  })

  test('an empty reply is done without text', async () => {
    const { model } = await openScene(provider, (_, response) => void response.end(wholeReply(protocol)))
    const { texts, last, error } = await readReply(model)
    expect(error).toBeUndefined()
    expect(texts).toEqual([])
    expect(last).toMatchObject({ event: 'done' })
  })

  test('characters of several bytes survive being split between two packets', async () => {
    const bytes = Buffer.from(wholeReply(protocol, 'Größe — 日本語', ' 👩‍🚀'))
    const { model } = await openScene(provider, async (_, response) => {
      sendEvents(response)
      for (const byte of bytes) {
        response.write(Buffer.of(byte))
        await new Promise(setImmediate)
      }
      response.end()
    })
    expect((await readReply(model)).texts.join('')).toBe('Größe — 日本語 👩‍🚀')
  })

  test('the request carries the key, the system prompt, the conversation and the limits', async () => {
    const { model, server } = await openScene(
      provider,
      (_, response) => void response.end(wholeReply(protocol, 'Yes.')),
    )
    await readReply(model, { messages: [{ role: 'user', text: 'Is it?' }] })
    const { body, headers, path } = server.requests[0]!
    expect(path).toBe(provider === 'anthropic' ? '/v1/messages' : '/v1/chat/completions')
    expect(`${headers.authorization} ${headers['x-api-key']}`).toContain('sk-secret')
    expect(body).toMatchObject({ model: 'stand-in', stream: true, temperature: 0.5, max_tokens: 100 })
    expect(JSON.stringify(body)).toContain('Be brief.')
    expect(JSON.stringify(body)).toContain('Is it?')
  })

  test('an abort closes the connection to the server', async () => {
    const interruption = new AbortController()
    const { model, server } = await openScene(provider, (_, response) =>
      sendEvents(response, ...protocol.head, protocol.text('One')),
    )
    await readReply(model, {}, interruption.signal, () => interruption.abort())
    await server.requests[0]!.hungUp
  })

  test('an abort before the first text closes the connection to the server', async () => {
    const interruption = new AbortController()
    const { model, server } = await openScene(provider, () => interruption.abort(new Error('hung up')))
    const { error } = await readReply(model, {}, interruption.signal)
    expect(error).toEqual(new Error('hung up'))
    await server.requests[0]!.hungUp
  })

  test('leaving the loop closes the connection to the server', async () => {
    const { model, server } = await openScene(provider, (_, response) =>
      sendEvents(response, ...protocol.head, protocol.text('One')),
    )
    for await (const _ of model.reply(askRequest, new AbortController().signal)) {
      break
    }
    await server.requests[0]!.hungUp
  })

  test('replies one after the other share a connection', async () => {
    const { model, server } = await openScene(
      provider,
      (_, response) => void response.end(wholeReply(protocol, 'Yes.')),
    )
    for (let i = 0; i < 3; i++) {
      await readReply(model)
      // A connection is free again in the next turn of the event loop.
      await new Promise(setImmediate)
    }
    expect(server.requests).toHaveLength(3)
    expect(server.connections()).toBe(1)
  })

  test('nothing is printed, and no rejection is left unhandled', async () => {
    const consoles = (['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name))
    const unhandled: unknown[] = []
    const onUnhandled = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', onUnhandled)
    const interruption = new AbortController()
    const bodies = [wholeReply(protocol, 'Yes.'), protocol.head.join(''), 'data: {"half\n\n', undefined]
    let body: string | undefined
    const { model } = await openScene(provider, (_, response) => {
      if (body === undefined) interruption.abort()
      else response.end(body)
    })
    const replies = []
    for (body of bodies) {
      // A temperature that Anthropic does not take is what the SDK warns of.
      replies.push(await readReply(model, { temperature: 2 }, interruption.signal))
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.off('unhandledRejection', onUnhandled)
    expect(replies.map(({ error }) => error instanceof ServiceError)).toEqual([false, true, true, false])
    expect(unhandled).toEqual([])
    for (const spy of consoles) {
      expect(spy).not.toHaveBeenCalled()
      spy.mockRestore()
    }
  })
})
