export const modelKinds = ['kokoro', 'matcha', 'vits'] as const
/** How the model was built, which decides what files it needs. Piper's models are VITS. */
export type ModelKind = (typeof modelKinds)[number]

/** One of a model's speakers, as people see it. */
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

/** Where the model's files are: absolute paths. */
export interface ModelFiles {
  readonly model: string
  readonly tokens: string
  readonly lexicons: readonly string[]
  /** The style of each speaker; Kokoro's alone. */
  readonly voices?: string
  /** What makes sound of the spectrum; Matcha's alone. */
  readonly vocoder?: string
  /** The folder of eSpeak NG's data, by which words become phonemes. */
  readonly espeakData?: string
  /** How numbers and dates are read, in the order of their use. */
  readonly rules: readonly string[]
  readonly ruleArchives: readonly string[]
}

/** A folder in which nothing is missing that can be seen without loading the model. */
export interface SpeechModel {
  /** The folder's own name. */
  readonly name: string
  readonly displayName: string
  readonly kind: ModelKind
  readonly files: ModelFiles
  readonly sampleRateHz: number
  /** Those it offers; the model may have more. */
  readonly speakers: readonly ModelSpeaker[]
  /** How many the model has. */
  readonly speakerCount: number
  /** Those of all its speakers. */
  readonly languages: readonly string[]
  readonly license: string
  /** A decimal string; undefined where the folder does not say. */
  readonly creditPer1kCharacters: string | undefined
  /** Words outside of the lexicon are left unspoken. */
  readonly speaksLexiconOnly: boolean
  /** Of all its files. */
  readonly sizeBytes: number
}
