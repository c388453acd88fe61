import { ServiceError, type SessionUsage } from '@parlance/contracts'

/**
 * Generates replies. Adapters: `ai-language-model.ts` (the `ai` SDK), `builtin/builtin-language-model.ts` (rules), and
 * `fallback-language-model.ts` (a model with a substitute). One model serves many conversations.
 */
export interface LanguageModel {
  /**
   * Streams one reply. Rejects with `ServiceError` (`upstream_error`, `upstream_timeout`, `capacity_exhausted`) or with the
   * signal's reason; leaving the loop stops the model. The last chunk is `done`: a reply without it was cut off.
   */
  reply(request: ReplyRequest, signal: AbortSignal): AsyncIterable<ReplyChunk>
  /** Whether tokens cost something. The tokens of a reply that is left before `done` are then estimated from its characters. */
  readonly countsTokens?: boolean
}

/** Limits of one reply: further calls are dropped, and arguments that are longer or nested deeper stay text. */
export const replyLimits = { calls: 8, argumentCharacters: 16_384, argumentLevels: 32 } as const

export interface ReplyRequest {
  readonly system: string
  /**
   * Oldest first; the Agent's words as far as they were played. The last message is the user's, except when the
   * conversation begins or the user is silent.
   */
  readonly messages: readonly ChatMessage[]
  readonly temperature: number
  readonly maxOutputTokens: number
  /** To the first part of the reply, and between any two parts. */
  readonly timeoutMs: number
  readonly tools: readonly ToolDescription[]
  /** The user's, as an IANA name; UTC when it is not known. */
  readonly timeZone?: string
  /** False when the turn has reached its maximum of tool calls: the model must reply with text. */
  readonly mayCall: boolean
}

export type ChatMessage =
  /** `context` is what the page sent about the situation, `knowledge` what was found in the files of the Agent. */
  | { readonly role: 'user' | 'agent' | 'context' | 'knowledge'; readonly text: string }
  /** The text of the Agent before its calls, and the calls with their results. */
  | { readonly role: 'calls'; readonly text: string; readonly calls: readonly AnsweredCall[] }

export interface ToolDescription {
  readonly name: string
  readonly description: string
  /** A JSON Schema of the arguments, which are an object. */
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** Not validated: parsed JSON, or the text of the model when it is not JSON. */
  readonly arguments: unknown
}

export interface AnsweredCall extends ToolCall {
  readonly result: string
  readonly isError: boolean
}

export type ReplyChunk =
  | { readonly event: 'text'; readonly text: string }
  /** A complete call. Its result goes to the model after `done`, in another request. */
  | { readonly event: 'call'; readonly call: ToolCall }
  | { readonly event: 'done'; readonly inputTokens: number; readonly outputTokens: number }

/** The model of a published Agent. Throws `ServiceError('unavailable')` for a provider that is not set up. */
export type FindLanguageModel = (provider: string, model: string) => LanguageModel

export type ReplyUsage = Pick<SessionUsage, 'llm_input_tokens' | 'llm_output_tokens'>

/** Resolves to all of a reply, at most about `maxCharacters`. Rejects as `reply` does, and when the reply was cut off. */
export const wholeReply = async (
  model: LanguageModel,
  request: ReplyRequest,
  signal: AbortSignal,
  maxCharacters: number,
): Promise<{ readonly text: string; readonly usage: ReplyUsage }> => {
  let text = ''
  let usage: ReplyUsage | undefined
  for await (const chunk of model.reply(request, signal)) {
    if (chunk.event === 'text' && text.length < maxCharacters) text += chunk.text
    if (chunk.event === 'done') usage = { llm_input_tokens: chunk.inputTokens, llm_output_tokens: chunk.outputTokens }
  }
  if (usage !== undefined) return { text, usage }
  throw new ServiceError('upstream_error', 'The language model stopped in the middle of its answer.')
}
