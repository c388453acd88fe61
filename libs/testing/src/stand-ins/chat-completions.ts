/** A stand-in for any server with OpenAI's chat completions, streamed: its replies are written beforehand. */
import { setTimeout as delay } from 'node:timers/promises'
import { sendJson } from '../local-server.js'
import {
  beginEvents,
  type EventStreamServer,
  type ReceivedRequest,
  type StreamedCall,
  type StreamedProtocol,
  startEventStreamServer,
  tokensOf,
  type Usage,
} from './event-stream-server.js'

export interface ScriptedReply {
  readonly text: string
  readonly calls?: readonly StreamedCall[]
  /** Before the first token, in ms. Default 0. */
  readonly firstTokenMs?: number
  /** Before each of the others, in ms. Default 0: all at once. */
  readonly tokenMs?: number
  /** The usage that it reports. Default: the number of messages and of tokens. */
  readonly usage?: Usage
  /** Anything but 200 is answered with an error and without a text. */
  readonly status?: number
}

export interface ChatCompletionsStandIn extends EventStreamServer {
  /** What stands before `/chat/completions`. */
  readonly baseUrl: string
  /** The texts of the roles `user` and `assistant` in the last request, oldest first, and its system prompt. */
  lastPrompt(): { readonly system: string; readonly messages: readonly { role: string; text: string }[] }
  /** Replies so from the next request on. */
  script(reply: Script): void
}

/** One reply to every request, or the reply to a request whose last message is `lastText`. */
export type Script = ScriptedReply | ((lastText: string, request: ReceivedRequest) => ScriptedReply)

const event = (fields: object): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'stand-in', ...fields })}\n\n`
const choice = (delta: object, finish_reason: string | null = null) =>
  event({ choices: [{ index: 0, delta, finish_reason }] })

const toolCall = ({ id, name, json }: StreamedCall, index: number) => [
  choice({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
  ...json.map((part) => choice({ tool_calls: [{ index, function: { arguments: part } }] })),
]

export const chatCompletionsProtocol: StreamedProtocol = {
  head: [choice({ role: 'assistant', content: '' })],
  text: (content) => choice({ content }),
  tail: (usage, calls = []) => [
    ...calls.flatMap(toolCall),
    choice({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    ...(usage === undefined
      ? []
      : [
          event({
            choices: [],
            usage: {
              prompt_tokens: usage.inputTokens,
              completion_tokens: usage.outputTokens,
              total_tokens: usage.inputTokens + usage.outputTokens,
            },
          }),
        ]),
    'data: [DONE]\n\n',
  ],
}

interface Message {
  readonly role: string
  /** Null beside calls alone. */
  readonly content: string | null | readonly { readonly text: string }[]
}
const messagesOf = ({ body }: ReceivedRequest) =>
  (body.messages as Message[]).map(({ role, content }) => ({
    role,
    text: typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join(''),
  }))

export const startChatCompletionsStandIn = async (script: Script): Promise<ChatCompletionsStandIn> => {
  let current = script
  const server = await startEventStreamServer(async (request, response) => {
    const messages = messagesOf(request)
    const reply = typeof current === 'function' ? current(messages.at(-1)?.text ?? '', request) : current
    if (reply.status !== undefined && reply.status !== 200) {
      const error = { message: 'scripted', type: 'scripted', param: null, code: null }
      return sendJson(response, reply.status, { error })
    }
    const tokens = tokensOf(reply.text)
    const { head, text, tail } = chatCompletionsProtocol
    beginEvents(response)
    for (const part of head) response.write(part)
    for (const [index, token] of tokens.entries()) {
      const waitMs = (index === 0 ? reply.firstTokenMs : reply.tokenMs) ?? 0
      if (waitMs > 0) await delay(waitMs)
      if (response.destroyed) return
      response.write(text(token))
    }
    const asked = (request.body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true
    const usage = reply.usage ?? { inputTokens: messages.length, outputTokens: tokens.length }
    for (const part of tail(asked ? usage : undefined, reply.calls)) response.write(part)
    response.end()
  })
  return {
    ...server,
    baseUrl: `${server.url}/v1`,
    script(reply) {
      current = reply
    },
    lastPrompt() {
      const messages = messagesOf(server.requests.at(-1)!)
      const isSystem = ({ role }: { role: string }) => role === 'system' || role === 'developer'
      return {
        system: messages
          .filter(isSystem)
          .map(({ text }) => text)
          .join('\n'),
        messages: messages.filter((message) => !isSystem(message)),
      }
    },
  }
}
