import type { HostedRecognizer } from '@parlance/engine/host'

/** Recognizes one utterance after the other. */
export type ModelRecognizer = Pick<HostedRecognizer, 'begin' | 'accept' | 'end' | 'text'>

/** The sample rate of every model. */
export const sampleRate = 16_000

/** The decoders of these models take the most probable token of each step. */
export const decoding = { featConfig: { sampleRate, featureDim: 80 }, decodingMethod: 'greedy_search' } as const

/** Samples between -1 and 1. */
export const samplesToFloats = (samples: Int16Array): Float32Array =>
  Float32Array.from(samples, (sample) => sample / 32_768)
