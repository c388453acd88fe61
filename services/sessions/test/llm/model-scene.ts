/** A model of each provider with a server that answers as the test defines. */
import type { ServerResponse } from 'node:http'
import type { RemoteLlmProvider } from '@parlance/contracts'
import {
  type AnswerRequest,
  anthropicMessagesProtocol,
  beginEvents,
  chatCompletionsProtocol,
  type EventStreamServer,
  type StreamedProtocol,
  startEventStreamServer,
} from '@parlance/testing/stand-ins'
import { createRemoteProvider } from '../../src/llm/ai-language-model.js'
import type { LanguageModel, ReplyChunk, ReplyRequest, ToolCall } from '../../src/llm/language-model.js'

export const providers: readonly { readonly provider: RemoteLlmProvider; readonly protocol: StreamedProtocol }[] = [
  { provider: 'openai', protocol: chatCompletionsProtocol },
  { provider: 'openai_compatible', protocol: chatCompletionsProtocol },
  { provider: 'anthropic', protocol: anthropicMessagesProtocol },
]

export const secretKey = 'sk-secret-of-the-test'

export const askRequest: ReplyRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'Hi.' }],
  temperature: 0.5,
  maxOutputTokens: 100,
  timeoutMs: 5_000,
  tools: [],
  mayCall: false,
}

export interface Scene {
  readonly server: EventStreamServer
  readonly model: LanguageModel
}

const scenes: EventStreamServer[] = []

export const openScene = async (provider: RemoteLlmProvider, answer: AnswerRequest): Promise<Scene> => {
  const server = await startEventStreamServer(answer)
  scenes.push(server)
  const models = await createRemoteProvider(provider, { url: `${server.url}/v1`, key: secretKey })
  return { server, model: models('stand-in') }
}

export const closeScenes = async (): Promise<void> => {
  await Promise.all(scenes.splice(0).map((server) => server.close()))
}

/** All bytes of a whole reply. */
export const wholeReply = (protocol: StreamedProtocol, ...texts: string[]): string =>
  [
    ...protocol.head,
    ...texts.map(protocol.text),
    ...protocol.tail({ inputTokens: 12, outputTokens: texts.length }),
  ].join('')

export const sendEvents = (response: ServerResponse, ...events: string[]) => {
  beginEvents(response)
  for (const event of events) response.write(event)
}

export interface Reply {
  readonly texts: readonly string[]
  readonly calls: readonly ToolCall[]
  readonly last: ReplyChunk | undefined
  readonly error: unknown
}

/** Collects a reply to its end or its failure. */
export const readReply = async (
  model: LanguageModel,
  request: Partial<ReplyRequest> = {},
  signal: AbortSignal = new AbortController().signal,
  onText: (text: string) => void = () => {},
): Promise<Reply> => {
  const texts: string[] = []
  const calls: ToolCall[] = []
  let last: ReplyChunk | undefined
  try {
    for await (const chunk of model.reply({ ...askRequest, ...request }, signal)) {
      last = chunk
      if (chunk.event === 'text') {
        texts.push(chunk.text)
        onText(chunk.text)
      }
      if (chunk.event === 'call') calls.push(chunk.call)
    }
    return { texts, calls, last, error: undefined }
  } catch (error) {
    return { texts, calls, last, error }
  }
}
