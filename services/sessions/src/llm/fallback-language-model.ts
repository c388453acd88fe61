import { ServiceError } from '@parlance/contracts'
import type { LanguageModel } from './language-model.js'

interface FallbackOptions {
  readonly model: LanguageModel
  /** Replies when `model` fails before its first text. */
  readonly fallback: LanguageModel
  onFailure(failure: ServiceError): void
}

/** After this number of consecutive failures the model is skipped for `skipMs`. Then one reply tries it again. */
const failuresToSkip = 3
const skipMs = 15_000

export const createFallbackLanguageModel = ({ model, fallback, onFailure }: FallbackOptions): LanguageModel => {
  let failures = 0
  let skipUntilMs = Number.NEGATIVE_INFINITY

  return {
    countsTokens: model.countsTokens === true || fallback.countsTokens === true,
    async *reply(request, signal) {
      if (performance.now() >= skipUntilMs) {
        // Other replies skip the model while this one tries it.
        if (failures >= failuresToSkip) skipUntilMs = performance.now() + skipMs
        let hasStarted = false
        try {
          for await (const chunk of model.reply(request, signal)) {
            hasStarted = true
            failures = 0
            skipUntilMs = Number.NEGATIVE_INFINITY
            yield chunk
          }
          return
        } catch (error) {
          if (hasStarted || signal.aborted || !(error instanceof ServiceError)) throw error
          failures++
          if (failures >= failuresToSkip) skipUntilMs = performance.now() + skipMs
          onFailure(error)
        }
      }
      yield* fallback.reply(request, signal)
    },
  }
}
