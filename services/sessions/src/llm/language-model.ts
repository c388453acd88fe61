/**
 * Thinks of what to say. Adapters: `ai-language-model.ts` (the `ai` SDK), `builtin/builtin-language-model.ts` (rules), and
 * `fallback-language-model.ts` (one in front of another). One serves many conversations.
 */
export interface LanguageModel {
  /**
   * Streams one reply. Rejects with `ServiceError` (`upstream_error`, `upstream_timeout`, `capacity_exhausted`) or with the signal's
   * reason; leaving the loop stops the model. The last chunk is `done`: what ends without it was cut off.
   */
  reply(request: ReplyRequest, signal: AbortSignal): AsyncIterable<ReplyChunk>
  /** Whether tokens cost something: a reply that is left before `done` has told of them is then reckoned by its characters. */
  readonly countsTokens?: boolean
}

/** Of a reply: more calls are left out, and arguments that are longer or nested deeper stay text. */
export const replyLimits = { calls: 8, argumentCharacters: 16_384, argumentLevels: 32 } as const

export interface ReplyRequest {
  readonly system: string
  /** Oldest first; what the agent said is there as far as it was heard. The last is the user's, but for a conversation that only begins or a user who is silent. */
  readonly messages: readonly ChatMessage[]
  readonly temperature: number
  readonly maxOutputTokens: number
  /** To the first of it, in ms; and again between any two parts. */
  readonly timeoutMs: number
  /** What it knows how to call. */
  readonly tools: readonly ToolDescription[]
  /** False where it has called often enough in this turn: then it must say something. */
  readonly mayCall: boolean
}

export type ChatMessage =
  /** `context` is what the page tells of the situation: neither the user's words nor the agent's. */
  | { readonly role: 'user' | 'agent' | 'context'; readonly text: string }
  /** What the agent said, called, and was answered. A call never stands without its result. */
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
  /** As the model gave them: parsed JSON, or the text that was none. Nothing is known of them. */
  readonly arguments: unknown
}

export interface AnsweredCall extends ToolCall {
  readonly result: string
  readonly isError: boolean
}

export type ReplyChunk =
  | { readonly event: 'text'; readonly text: string }
  /** Complete. It is answered after `done`, in another request. */
  | { readonly event: 'call'; readonly call: ToolCall }
  | { readonly event: 'done'; readonly inputTokens: number; readonly outputTokens: number }

/** The model that a published Agent asks for. Throws `ServiceError('unavailable')` for a provider that this installation has not set up. */
export type FindLanguageModel = (provider: string, model: string) => LanguageModel
