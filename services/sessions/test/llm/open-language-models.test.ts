import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceError } from '@parlance/contracts'
import type { ReadSecret } from '@parlance/runtime'
import { createLogger, createMetrics, noTracing } from '@parlance/telemetry'
import { startChatCompletionsStandIn } from '@parlance/testing/stand-ins'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { languageModelEnv } from '../../src/llm/language-model-config.js'
import { openLanguageModels } from '../../src/llm/open-language-models.js'
import { readReply, secretKey } from './model-scene.js'

const env = z.object(languageModelEnv)

const readNothing: ReadSecret = (reference) => {
  throw new Error(`the file ${'file' in reference ? reference.file : ''} cannot be read (ENOENT)`)
}

const open = (variables: Record<string, string>, options: { readSecret?: ReadSecret; log?: string[] } = {}) =>
  openLanguageModels(env.parse(variables), {
    telemetry: { metrics: createMetrics(), tracing: noTracing },
    logger: createLogger({ destination: { write: (line: string) => void options.log?.push(line) } }),
    readSecret: options.readSecret ?? readNothing,
  })

const thrownBy = (call: () => unknown): unknown => {
  try {
    call()
  } catch (error) {
    return error
  }
  return undefined
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const openServer = async (text: string, status = 200) => {
  const server = await startChatCompletionsStandIn({ text, status })
  closing.push(server.close)
  return server
}

describe('the models of an installation', () => {
  test('builtin needs no variable and has any model name', async () => {
    const find = await open({})
    expect((await readReply(find('builtin', 'anything'))).texts.join('')).not.toBe('')
  })

  test.each([
    ['openai', 'LLM_OPENAI_API_KEY'],
    ['anthropic', 'LLM_ANTHROPIC_API_KEY'],
    ['openai_compatible', 'LLM_COMPATIBLE_URL'],
  ])('%s is unavailable until it is set up, and the error names %s', async (provider, variable) => {
    for (const find of [
      await open({}),
      await open({ LLM_OPENAI_URL: 'http://127.0.0.1:1', LLM_COMPATIBLE_API_KEY: 'k' }),
    ]) {
      const error = thrownBy(() => find(provider, 'm')) as ServiceError
      expect(error).toBeInstanceOf(ServiceError)
      expect(error.code).toBe('unavailable')
      expect(error.detail).toContain(variable)
    }
  })

  test('an unknown provider is unavailable, whatever its name', async () => {
    const find = await open({ LLM_OPENAI_API_KEY: secretKey })
    for (const provider of ['unknown', '', 'toString', '__proto__']) {
      expect((thrownBy(() => find(provider, 'm')) as ServiceError).code).toBe('unavailable')
    }
  })

  test('each provider is called at its own address with its own key', async () => {
    const server = await openServer('Yes.')
    const find = await open({
      LLM_OPENAI_API_KEY: 'key-one',
      LLM_OPENAI_URL: `${server.baseUrl}/one/`,
      LLM_COMPATIBLE_URL: server.baseUrl,
    })
    expect((await readReply(find('openai', 'gpt'))).texts.join('')).toBe('Yes.')
    expect((await readReply(find('openai_compatible', 'meta/llama'))).texts.join('')).toBe('Yes.')
    const seen = server.requests.map(({ path, headers, body }) => [path, headers.authorization, body.model])
    expect(seen).toEqual([
      ['/v1/one/chat/completions', 'Bearer key-one', 'gpt'],
      ['/v1/chat/completions', undefined, 'meta/llama'],
    ])
  })

  test('the server gets the system prompt and the conversation, with alternating roles', async () => {
    const server = await openServer('Yes.')
    const find = await open({ LLM_COMPATIBLE_URL: server.baseUrl })
    await readReply(find('openai_compatible', 'm'), {
      system: 'You sell tea.',
      messages: [
        { role: 'agent', text: 'Welcome.' },
        { role: 'user', text: 'Hi.' },
        { role: 'context', text: 'Cart: empty' },
      ],
    })
    const { system, messages } = server.lastPrompt()
    expect(system).toBe('You sell tea.')
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(messages.at(-1)!.text).toBe('Hi.\n\n<context>\nCart: empty\n</context>')
  })

  test("the SDK's own variables have no effect", async () => {
    const server = await openServer('Yes.')
    process.env.OPENAI_BASE_URL = 'http://127.0.0.1:1/v1'
    process.env.OPENAI_API_KEY = 'another'
    process.env.OPENAI_ORGANIZATION = 'some-organization'
    closing.push(async () => {
      for (const name of ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_ORGANIZATION']) delete process.env[name]
    })
    const find = await open({ LLM_OPENAI_API_KEY: secretKey, LLM_OPENAI_URL: server.baseUrl })
    await readReply(find('openai', 'gpt'))
    expect(server.requests[0]!.headers).toMatchObject({ authorization: `Bearer ${secretKey}` })
    expect(server.requests[0]!.headers).not.toHaveProperty('openai-organization')
  })

  test('the same model is the same object, and the number of kept models is limited', async () => {
    const find = await open({ LLM_OPENAI_API_KEY: secretKey })
    const first = find('openai', 'm')
    expect(find('openai', 'm')).toBe(first)
    for (let i = 0; i < 1_000; i++) find('openai', `m${i}`)
    expect(find('openai', 'm')).not.toBe(first)
  })

  test('a key may be in a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keys-'))
    closing.push(() => rm(folder, { recursive: true }))
    const file = join(folder, 'key')
    await writeFile(file, `${secretKey}\n`)
    const server = await openServer('Yes.')
    const read: string[] = []
    const find = await open(
      { LLM_OPENAI_API_KEY_FILE: file, LLM_OPENAI_URL: server.baseUrl },
      {
        readSecret(reference) {
          read.push('file' in reference ? reference.file : reference.env)
          return secretKey
        },
      },
    )
    await readReply(find('openai', 'm'))
    expect(read).toEqual([file])
    expect(server.requests[0]!.headers.authorization).toBe(`Bearer ${secretKey}`)
  })

  test('a key that cannot be read or is set twice fails the start', async () => {
    await expect(open({ LLM_OPENAI_API_KEY_FILE: '/nowhere' })).rejects.toThrow(
      'LLM_OPENAI_API_KEY_FILE: the file /nowhere cannot be read (ENOENT).',
    )
    await expect(open({ LLM_OPENAI_API_KEY: 'a', LLM_OPENAI_API_KEY_FILE: '/b' })).rejects.toThrow('both set')
  })

  test('a key with characters that are invalid in a header fails the start, and is not shown', async () => {
    const opening = open({ LLM_OPENAI_API_KEY: 'sk-two\nlines' })
    await expect(opening).rejects.toThrow('LLM_OPENAI_API_KEY')
    await expect(opening).rejects.not.toThrow('lines')
  })

  test('the fallback replies for a model that fails, and its provider is logged', async () => {
    const server = await openServer('', 401)
    const log: string[] = []
    const find = await open(
      { LLM_OPENAI_API_KEY: secretKey, LLM_OPENAI_URL: server.baseUrl, LLM_FALLBACK: 'builtin/rules' },
      { log },
    )
    expect(
      (await readReply(find('openai', 'm'), { messages: [{ role: 'user', text: 'thank you' }] })).error,
    ).toBeUndefined()
    expect(log.map((line) => JSON.parse(line))).toMatchObject([
      { implementation: 'openai', msg: 'The fallback replies for a model that failed' },
    ])
  })

  test('the fallback model itself has no fallback', async () => {
    const server = await openServer('', 401)
    const log: string[] = []
    const find = await open(
      { LLM_COMPATIBLE_URL: server.baseUrl, LLM_FALLBACK: 'openai_compatible/meta/llama' },
      { log },
    )
    expect((await readReply(find('openai_compatible', 'meta/llama'))).error).toBeInstanceOf(ServiceError)
    expect(log).toEqual([])
  })

  test('a fallback that is not set up fails the start', async () => {
    await expect(open({ LLM_FALLBACK: 'anthropic/claude' })).rejects.toThrow('LLM_ANTHROPIC_API_KEY')
  })

  test.each(['llama', '/llama', 'openai/', 'unknown/llama'])('"%s" is not a valid fallback', (reference) => {
    expect(env.safeParse({ LLM_FALLBACK: reference }).success).toBe(false)
  })

  test.each(['ftp://models', 'models', 'file:///etc/passwd'])('"%s" is not a valid address', (url) => {
    expect(env.safeParse({ LLM_COMPATIBLE_URL: url }).success).toBe(false)
  })
})
