import { createTracedHistogram, type Instruments } from './instruments.js'

/**
 * Limits the values of a label that customers choose: each value is a time series for as long as the process runs. Returns the
 * value, or `other` for values beyond the first `maxValues`.
 */
const createBoundedLabel = (maxValues: number): ((value: string) => string) => {
  const known = new Set<string>()
  return (value) => {
    if (known.has(value)) return value
    if (known.size >= maxValues) return 'other'
    known.add(value)
    return value
  }
}

/** A kind of request to a model. */
export interface ModelOperation {
  /** The operation, such as `chat`, as the semantic conventions name it. */
  readonly operation: string
  readonly provider: string
  /** The model, which Agents choose. */
  readonly model: string
}

/** Requests to language models, by the semantic conventions for generative AI. */
export interface ModelMetrics {
  /** A request has ended, successfully or not. */
  modelDone(operation: ModelOperation, seconds: number, errorType: string | undefined): void
  /** From a request to the first part of its reply. */
  modelFirstChunk(operation: ModelOperation, seconds: number): void
  /** The tokens of a complete reply. */
  modelTokens(operation: ModelOperation, tokens: { readonly inputTokens: number; readonly outputTokens: number }): void
}

const operationLabels = ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model'] as const
const durationBuckets = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const firstChunkBuckets = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const tokenBuckets = Array.from({ length: 14 }, (_, index) => 4 ** index)
/** Each model is a time series for each bucket. */
const maxModels = 50

export const createModelMetrics = (instruments: Instruments): ModelMetrics => {
  const duration = createTracedHistogram(instruments, {
    name: 'gen_ai_client_operation_duration_seconds',
    help: 'Time of requests to models, to the end of the reply',
    labelNames: [...operationLabels, 'error_type'],
    buckets: durationBuckets,
  })
  const firstChunk = createTracedHistogram(instruments, {
    name: 'gen_ai_client_operation_time_to_first_chunk_seconds',
    help: 'Time from a request to a model to the first part of its reply',
    labelNames: [...operationLabels],
    buckets: firstChunkBuckets,
  })
  const tokens = createTracedHistogram(instruments, {
    name: 'gen_ai_client_token_usage',
    help: 'Tokens of complete replies, by whether they were read (input) or written (output)',
    labelNames: [...operationLabels, 'gen_ai_token_type'],
    buckets: tokenBuckets,
  })
  const modelLabel = createBoundedLabel(maxModels)
  const labelsOf = ({ operation, provider, model }: ModelOperation) => ({
    gen_ai_operation_name: operation,
    gen_ai_provider_name: provider,
    gen_ai_request_model: modelLabel(model),
  })

  return {
    modelDone: (operation, seconds, errorType = '') =>
      duration.observe({ ...labelsOf(operation), error_type: errorType }, seconds),
    modelFirstChunk: (operation, seconds) => firstChunk.observe(labelsOf(operation), seconds),
    modelTokens(operation, { inputTokens, outputTokens }) {
      const labels = labelsOf(operation)
      tokens.observe({ ...labels, gen_ai_token_type: 'input' }, inputTokens)
      tokens.observe({ ...labels, gen_ai_token_type: 'output' }, outputTokens)
    },
  }
}
