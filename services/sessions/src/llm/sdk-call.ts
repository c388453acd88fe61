/** Converts a request to the form of the SDK's providers. */
import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible'
import type { ReplyRequest, ToolDescription } from './language-model.js'
import { type PromptMessage, promptMessages } from './prompt-messages.js'

/** A model of any of the SDK's providers. */
export type SdkModel = ReturnType<OpenAICompatibleProvider['chatModel']>

type SdkCall = Parameters<SdkModel['doStream']>[0]
type SdkMessage = SdkCall['prompt'][number]

const textPart = (text: string) => ({ type: 'text' as const, text })

const sdkMessages = (message: PromptMessage): readonly SdkMessage[] => {
  const { role, text } = message
  if (role !== 'calls') return [{ role, content: [textPart(text)] }]
  const { calls } = message
  return [
    {
      role: 'assistant',
      content: [
        ...(text === '' ? [] : [textPart(text)]),
        ...calls.map(({ id, name, arguments: input }) => ({
          type: 'tool-call' as const,
          toolCallId: id,
          toolName: name,
          input,
        })),
      ],
    },
    {
      role: 'tool',
      content: calls.map(({ id, name, result, isError }) => ({
        type: 'tool-result' as const,
        toolCallId: id,
        toolName: name,
        output: { type: isError ? ('error-text' as const) : ('text' as const), value: result },
      })),
    },
  ]
}

/** Some servers refuse a schema without `type` and `properties`. */
const sdkTool = ({ name, description, parameters }: ToolDescription) => ({
  type: 'function' as const,
  name,
  description,
  inputSchema: { properties: {}, ...parameters, type: 'object' as const },
})

/** Tools stay in the request when the model may not call them: servers refuse results of calls to unknown tools. */
export const sdkCall = (request: ReplyRequest, abortSignal: AbortSignal): SdkCall => {
  const { system, messages, temperature, maxOutputTokens, tools, mayCall } = request
  return {
    prompt: [
      ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...promptMessages(messages).flatMap(sdkMessages),
    ],
    temperature,
    maxOutputTokens,
    abortSignal,
    ...(tools.length > 0 && {
      tools: tools.map(sdkTool),
      toolChoice: { type: mayCall ? ('auto' as const) : ('none' as const) },
    }),
  }
}
