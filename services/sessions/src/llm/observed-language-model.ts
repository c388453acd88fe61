import { ServiceError } from '@parlance/contracts'
import type { Metrics, ModelOperation, Tracing } from '@parlance/telemetry'
import type { LanguageModel } from './language-model.js'

export interface LanguageModelTelemetry {
  readonly metrics: Pick<Metrics, 'modelDone' | 'modelFirstChunk' | 'modelTokens'>
  readonly tracing: Pick<Tracing, 'startCall'>
}

const errorTypeOf = (error: unknown): string => (error instanceof ServiceError ? error.code : 'internal_error')

/** Measures each reply of a model: its time to the first chunk, its whole time, its tokens, and how it failed. */
export const observeLanguageModel = (
  model: LanguageModel,
  operation: Omit<ModelOperation, 'operation'>,
  { metrics, tracing }: LanguageModelTelemetry,
): LanguageModel => {
  const chat: ModelOperation = { operation: 'chat', ...operation }
  const startSpan = () =>
    tracing.startCall(`chat ${chat.model}`, {
      attributes: {
        'gen_ai.operation.name': chat.operation,
        'gen_ai.provider.name': chat.provider,
        'gen_ai.request.model': chat.model,
      },
    })

  return {
    ...(model.countsTokens !== undefined && { countsTokens: model.countsTokens }),
    async *reply(request, signal) {
      const span = startSpan()
      const beganMs = performance.now()
      const seconds = () => (performance.now() - beganMs) / 1000
      let hasBegun = false
      let failure: unknown
      try {
        for await (const chunk of model.reply(request, signal)) {
          if (!hasBegun) metrics.modelFirstChunk(chat, seconds())
          hasBegun = true
          if (chunk.event === 'done') {
            metrics.modelTokens(chat, chunk)
            span?.setAttribute('gen_ai.usage.input_tokens', chunk.inputTokens)
            span?.setAttribute('gen_ai.usage.output_tokens', chunk.outputTokens)
          }
          yield chunk
        }
      } catch (error) {
        if (!signal.aborted) failure = error
        throw error
      } finally {
        metrics.modelDone(chat, seconds(), failure === undefined ? undefined : errorTypeOf(failure))
        span?.end(failure)
      }
    },
  }
}
