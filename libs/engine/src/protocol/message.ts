/** The JSON payloads. They describe what is meant; whoever reads them from a pipe checks them first. */

/** A voice as its engine announces it. */
export interface EngineVoice {
  /** 32 hexadecimal characters, the same on every installation. */
  readonly id: string
  readonly displayName: string
  readonly description: string
  /** BCP 47 tags, the main one first. */
  readonly languages: readonly string[]
  readonly gender: 'female' | 'male' | 'neutral'
  readonly tags: readonly string[]
  readonly license: string
  /** ISO 8601 in UTC with milliseconds: since when there is such a voice, and since when it sounds as it does. */
  readonly createdAt: string
  readonly updatedAt: string
  readonly variants: readonly EngineVoiceVariant[]
}

export interface EngineVoiceVariant {
  readonly id: string
  readonly displayName: string
  /** A decimal string. */
  readonly creditPer1kCharacters: string
}

/** Sent once, when the process is ready to speak. */
export interface Hello {
  readonly engine: string
  readonly version: string
  /** What else it is made of, for operators: its implementation, its model. */
  readonly info?: Readonly<Record<string, string>> | undefined
  readonly sampleRateHz: number
  readonly voices: readonly EngineVoice[]
}

/** The hello of an engine that recognises speech. */
export interface RecognizerHello {
  readonly engine: string
  readonly version: string
  /** Of the audio it is sent. */
  readonly sampleRateHz: number
  /** The first parts of the BCP 47 tags that it understands. */
  readonly languages: readonly string[]
  /** Whether it understands while somebody speaks, or only when all of an utterance is there. */
  readonly streaming: boolean
}

/** What was learnt of a voice and its microphone, by which the same process or another hears the next of it better. */
export type Acoustics = readonly number[]

export interface HearCommand {
  /** A BCP 47 tag, which the process may not know. */
  readonly language: string
  /** Of an earlier job with the same voice; null where there was none. */
  readonly acoustics: Acoustics | null
}

/** The end of a job that was heard. */
export interface HeardEnd {
  readonly acoustics: Acoustics
}

/** All that is understood of a job so far; empty before there is anything. */
export interface RecognizedText {
  readonly text: string
}

export interface SpeakCommand {
  /** Always plain text, whatever markup it looks like. */
  readonly text: string
  readonly voiceId: string
  readonly variant: string
  /** One of the voice's languages; null takes its main one. */
  readonly language: string | null
  /** 0.5 to 2, where 1 is the voice's own pace. */
  readonly speed: number
  /** 0 to 2, where 1 is the voice's own loudness. */
  readonly volume: number
  /** Whether phonemes are to be told of; somebody wants them when this is left out. */
  readonly phonemes?: boolean | undefined
  /** Whether there is still something to be heard before it, so that nobody waits for the first of its sound. */
  readonly ahead?: boolean | undefined
}

/** A word as it stands in the text: `text` is what lies between the two UTF-16 offsets. Times are ms of the job's audio. */
export interface WordMark {
  readonly text: string
  readonly textStart: number
  readonly textEnd: number
  readonly startMs: number
  readonly endMs: number
}

/** IPA, with the stress mark where the engine gives one. Pauses are the gaps between. */
export interface PhonemeMark {
  readonly ipa: string
  readonly startMs: number
  readonly endMs: number
}

/** Each list goes forward in time. */
export interface SpeechMarks {
  readonly words: readonly WordMark[]
  readonly phonemes: readonly PhonemeMark[]
  /** The engine told no times; these were reckoned from the text and the length of its audio. */
  readonly estimated?: boolean | undefined
  /**
   * How long the engine would pause after the text if more followed, in ms. The job's audio ends before this pause. Left out by
   * an engine whose audio contains all of its silence.
   */
  readonly pauseMs?: number | undefined
}

/** Why a job was not done, or of job 0: why there will be no hello; for logs. */
export interface EngineFailure {
  readonly message: string
}
