import { ServiceError } from '@parlance/contracts'
import type { LanguageModel } from './language-model.js'

export interface FallbackOptions {
  readonly model: LanguageModel
  /** Speaks where `model` failed before its first text. */
  readonly fallback: LanguageModel
  /** `failure` is undefined where `model` was not asked, having failed before. */
  onFallback(failure: ServiceError | undefined): void
  /** In ms, from any beginning. */
  readonly clock?: () => number
}

/** After so many failures in a row nobody is made to wait for another, for a while; then one reply tries again. */
const failuresToRest = 3
const restMs = 15_000

export const createFallbackLanguageModel = (options: FallbackOptions): LanguageModel => {
  const { model, fallback, onFallback, clock = () => performance.now() } = options
  let failures = 0
  let restUntil = Number.NEGATIVE_INFINITY

  const failed = () => {
    failures++
    if (failures >= failuresToRest) restUntil = clock() + restMs
  }

  return {
    countsTokens: model.countsTokens === true || fallback.countsTokens === true,
    async *reply(request, signal) {
      let failure: ServiceError | undefined
      if (clock() >= restUntil) {
        // Others rest while this one tries.
        if (failures >= failuresToRest) restUntil = clock() + restMs
        let heard = false
        try {
          for await (const chunk of model.reply(request, signal)) {
            heard = true
            failures = 0
            restUntil = Number.NEGATIVE_INFINITY
            yield chunk
          }
          return
        } catch (error) {
          if (heard || signal.aborted || !(error instanceof ServiceError)) throw error
          failed()
          failure = error
        }
      }
      onFallback(failure)
      yield* fallback.reply(request, signal)
    },
  }
}
