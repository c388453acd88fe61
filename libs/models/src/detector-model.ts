export const detectorKinds = ['vad', 'turn'] as const
/** What a model detects: speech among silence, or the end of a turn. */
export type DetectorKind = (typeof detectorKinds)[number]

/** A detector's folder in which nothing is missing that can be seen without loading the model. */
export interface DetectorModel {
  /** The folder's own name. */
  readonly name: string
  readonly displayName: string
  readonly kind: DetectorKind
  /** The ONNX file, an absolute path. */
  readonly file: string
  /** BCP 47 tags; empty where the language does not matter. */
  readonly languages: readonly string[]
  readonly license: string
  /** Of all its files. */
  readonly sizeBytes: number
}
