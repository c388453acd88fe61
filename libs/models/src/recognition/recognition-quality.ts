/**
 * The accuracy of models, from 0 to 100, when their folders do not state it. It decides which of several recognizers is
 * used for a language. The order is that of the publishers' word error rates on everyday speech; the differences have no
 * meaning.
 */
import type { OnnxMetadata } from '../onnx/onnx-metadata.js'
import type { RecognitionKind } from './recognition-model.js'

const qualityOfKind: Readonly<Record<RecognitionKind, number>> = {
  'nemo-transducer': 80,
  whisper: 60,
  'sense-voice': 60,
  paraformer: 60,
  moonshine: 55,
  'streaming-transducer': 50,
}

/** By the beginning of the size in `whisper-large-v3`. The first match counts. */
const qualityOfWhisper: readonly (readonly [size: string, quality: number])[] = [
  ['tiny', 40],
  ['base', 50],
  ['small', 65],
  ['distil-small', 65],
  ['medium', 70],
  ['distil-medium', 70],
  ['large', 75],
  ['distil-large', 75],
  ['turbo', 75],
]

/** The quality of a kind; of Whisper by the size in the metadata of its encoder. */
export const qualityOf = (kind: RecognitionKind, metadata: OnnxMetadata): number => {
  const size = kind === 'whisper' ? metadata.model_type?.replace(/^whisper-/, '') : undefined
  return qualityOfWhisper.find(([start]) => size?.startsWith(start))?.[1] ?? qualityOfKind[kind]
}
