import type { ModelSpeed } from './model-records.js'

export const modelKinds = ['kokoro', 'matcha', 'vits'] as const
/** The architecture of a model, which determines its files. Piper's models are VITS. */
export type ModelKind = (typeof modelKinds)[number]

/** A speaker of a model. */
export interface ModelSpeaker {
  /** Its number in the model, from 0. */
  readonly id: number
  readonly displayName: string
  readonly description: string
  /** BCP 47 tags, the main one first. */
  readonly languages: readonly string[]
  readonly gender: 'female' | 'male' | 'neutral'
  readonly tags: readonly string[]
}

/** The absolute paths of a model's files. */
export interface ModelFiles {
  readonly model: string
  readonly tokens: string
  readonly lexicons: readonly string[]
  /** The style of each speaker; only of Kokoro. */
  readonly voices?: string
  /** The vocoder, which converts the spectrum to audio; only of Matcha. */
  readonly vocoder?: string
  /** The folder of eSpeak NG's data, which converts words to phonemes. */
  readonly espeakData?: string
  /** Rules for reading numbers and dates, in the order of their use. */
  readonly rules: readonly string[]
  readonly ruleArchives: readonly string[]
}

/** A valid folder of a speech model, as far as it can be checked without loading the model. */
export interface SpeechModel {
  /** The name of the folder. */
  readonly name: string
  readonly displayName: string
  readonly kind: ModelKind
  readonly files: ModelFiles
  readonly sampleRateHz: number
  /** The offered speakers; the model may have more. */
  readonly speakers: readonly ModelSpeaker[]
  /** The number of speakers in the model. */
  readonly speakerCount: number
  /** The languages of all offered speakers. */
  readonly languages: readonly string[]
  readonly license: string
  /** A decimal string; undefined where `parlance.json` has none. */
  readonly creditPer1kCharacters: string | undefined
  /** Whether words outside of the lexicon are not spoken. */
  readonly speaksLexiconOnly: boolean
  /** Undefined for a model that was never measured. */
  readonly speed: ModelSpeed | undefined
  /** The size of all files. */
  readonly sizeBytes: number
}
