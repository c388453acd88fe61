import type { OnnxModel } from '../onnx-writer.js'

/** A model that recognizes tones, as files of a folder. */
export interface ToneModelFiles {
  /** By the names of their files. Metadata of the first may be replaced. */
  readonly models: Readonly<Record<string, OnnxModel>>
  /** In order of their numbers. */
  readonly symbols: readonly string[]
  /** Whether the file of the symbols has them in Base64, and its name. Default: no, and `tokens.txt`. */
  readonly encoded?: boolean
  readonly tokensName?: string
}
