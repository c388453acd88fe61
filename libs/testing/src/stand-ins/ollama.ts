/**
 * A stand-in of Ollama by its published protocol: `GET /api/tags`, `GET /api/version`, and OpenAI's `GET /v1/models` and
 * `POST /v1/chat/completions`, streamed or whole.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { sendJson, startLocalServer } from '../local-server.js'

interface OllamaMessage {
  readonly role: string
  readonly content: string
}

export interface OllamaServer {
  /** The URL without a path. */
  readonly url: string
  /** The messages of each request for a reply, oldest first. */
  readonly requests: readonly (readonly OllamaMessage[])[]
  stop(): Promise<void>
}

interface OllamaOptions {
  /** Default: one model. */
  readonly models?: readonly string[]
  /** Models that only embed text. */
  readonly embeddingModels?: readonly string[]
  /** Default: any that is free. */
  readonly port?: number
  /** The reply to a conversation, whose system prompt is its first message. */
  replyTo(messages: readonly OllamaMessage[]): string
}

const created = 1_700_000_000
const modifiedAt = new Date(created * 1_000).toISOString()

const tagOf = (name: string, family: string) => ({
  ...{ name, model: name, modified_at: modifiedAt, size: 5_225_388_164, digest: '0'.repeat(64) },
  details: {
    parent_model: '',
    format: 'gguf',
    family,
    families: [family],
    parameter_size: '8.2B',
    quantization_level: 'Q4_K_M',
  },
})

/** The content of a message may be a list of text parts. */
const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : ((content ?? []) as { text: string }[]).map(({ text }) => text).join('')

export const startOllamaServer = async (options: OllamaOptions): Promise<OllamaServer> => {
  const { models = ['qwen3:8b'], embeddingModels = [], port = 0, replyTo } = options
  const requests: OllamaMessage[][] = []

  const complete = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await json(request)) as {
      model: string
      stream?: boolean
      stream_options?: { include_usage?: boolean }
      messages: { role: string; content: unknown }[]
    }
    const { model } = body
    if (!models.includes(model)) {
      const message = `model "${model}" not found, try pulling it first`
      return sendJson(response, 404, { error: { message, type: 'api_error', param: null, code: null } })
    }
    const messages = body.messages.map(({ role, content }) => ({ role, content: textOf(content) }))
    requests.push(messages)
    const content = replyTo(messages)
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }
    const common = { id: `chatcmpl-${requests.length}`, created, model, system_fingerprint: 'fp_ollama' }
    if (body.stream !== true) {
      const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }
      return sendJson(response, 200, { ...common, object: 'chat.completion', choices: [choice], usage })
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const write = (fields: object) =>
      response.write(`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', ...fields })}\n\n`)
    const chunk = (text: string, finish_reason: string | null) =>
      write({ choices: [{ index: 0, delta: { role: 'assistant', content: text }, finish_reason }] })
    for (const word of content.match(/\S+\s*/g) ?? []) chunk(word, null)
    chunk('', 'stop')
    if (body.stream_options?.include_usage === true) write({ choices: [], usage })
    response.end('data: [DONE]\n\n')
  }

  const { url, close } = await startLocalServer((request, response) => {
    switch (`${request.method} ${request.url}`) {
      case 'GET /api/version':
        return sendJson(response, 200, { version: '0.12.0' })
      case 'GET /api/tags':
        return sendJson(response, 200, {
          models: [
            ...embeddingModels.map((name) => tagOf(name, 'nomic-bert')),
            ...models.map((name) => tagOf(name, 'qwen3')),
          ],
        })
      case 'GET /v1/models':
        return sendJson(response, 200, {
          object: 'list',
          data: [...embeddingModels, ...models].map((id) => ({ id, object: 'model', created, owned_by: 'library' })),
        })
      case 'POST /v1/chat/completions':
        return complete(request, response)
      default:
        return response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found')
    }
  }, port)

  return { url, requests, stop: close }
}
