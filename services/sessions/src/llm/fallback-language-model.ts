import { ServiceError } from '@parlance/contracts'
import type { LanguageModel } from './language-model.js'

export interface FallbackOptions {
  readonly model: LanguageModel
  /** Replies when `model` fails before its first text. */
  readonly fallback: LanguageModel
  /** `failure` is undefined when `model` was skipped because of earlier failures. */
  onFallback(failure: ServiceError | undefined): void
  /** Milliseconds of a monotonic clock. Default: `performance.now`. */
  readonly clock?: () => number
}

/** After this number of consecutive failures the model is skipped for `skipMs`. Then one reply tries it again. */
const failuresToSkip = 3
const skipMs = 15_000

export const createFallbackLanguageModel = (options: FallbackOptions): LanguageModel => {
  const { model, fallback, onFallback, clock = () => performance.now() } = options
  let failures = 0
  let skipUntil = Number.NEGATIVE_INFINITY

  const failed = () => {
    failures++
    if (failures >= failuresToSkip) skipUntil = clock() + skipMs
  }

  return {
    countsTokens: model.countsTokens === true || fallback.countsTokens === true,
    async *reply(request, signal) {
      let failure: ServiceError | undefined
      if (clock() >= skipUntil) {
        // Other replies skip the model while this one tries it.
        if (failures >= failuresToSkip) skipUntil = clock() + skipMs
        let hasStarted = false
        try {
          for await (const chunk of model.reply(request, signal)) {
            hasStarted = true
            failures = 0
            skipUntil = Number.NEGATIVE_INFINITY
            yield chunk
          }
          return
        } catch (error) {
          if (hasStarted || signal.aborted || !(error instanceof ServiceError)) throw error
          failed()
          failure = error
        }
      }
      onFallback(failure)
      yield* fallback.reply(request, signal)
    },
  }
}
