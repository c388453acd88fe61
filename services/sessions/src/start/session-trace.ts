import type { Span, SpanAttributes, Tracing } from '@parlance/telemetry'

/**
 * Starts the span of a part of one conversation, in the trace of the request that started the conversation. Undefined when that
 * trace is not sampled.
 */
export type StartSessionSpan = (name: string, attributes?: SpanAttributes) => Span | undefined

/** `traceparent` is that of the request that started the conversation. */
export const createSessionTrace =
  (
    tracing: Pick<Tracing, 'startSpan'>,
    { sessionId, traceparent: parent }: { readonly sessionId: string; readonly traceparent?: string | undefined },
  ): StartSessionSpan =>
  (name, attributes) =>
    parent === undefined
      ? undefined
      : tracing.startSpan(name, 'internal', {
          parent,
          attributes: { 'gen_ai.conversation.id': sessionId, ...attributes },
        })
