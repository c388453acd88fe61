/** The JSON payloads of frames. A reader of a pipe checks them before use. */

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
  /** ISO 8601 in UTC with milliseconds. */
  readonly createdAt: string
  readonly updatedAt: string
  readonly variants: readonly EngineVoiceVariant[]
}

interface EngineVoiceVariant {
  readonly id: string
  readonly displayName: string
  /** A decimal string. */
  readonly creditPer1kCharacters: string
}

/** Sent once, when the process is ready to speak. */
export interface Hello {
  readonly engine: string
  readonly version: string
  /** More about it for operators, such as its implementation and its model. */
  readonly info?: Readonly<Record<string, string>> | undefined
  /** A sentence for the log about an optional dependency that is missing. */
  readonly warning?: string | undefined
  readonly sampleRateHz: number
  readonly voices: readonly EngineVoice[]
}

/** The hello of an engine that recognizes speech. */
export interface RecognizerHello {
  readonly engine: string
  readonly version: string
  /** The sample rate of the audio that it receives. */
  readonly sampleRateHz: number
  /** The primary subtags of the languages that it recognizes, such as `en`. */
  readonly languages: readonly string[]
  /** Whether it sends text during an utterance, or only at its end. */
  readonly streaming: boolean
  /** How many times as fast as speech it was when it started, where that was measured. */
  readonly pace?: number | undefined
}

/** Features of a voice and its microphone, learned by one job, that improve the recognition of a later one. */
export type Acoustics = readonly number[]

export interface RecognizeCommand {
  /** A BCP 47 tag; the process may not know the language. */
  readonly language: string
  /** The acoustics of an earlier job with the same voice; null for the first. */
  readonly acoustics: Acoustics | null
}

/** The hello of an engine that judges whether a turn of a conversation is over. */
export interface TurnDetectorHello {
  readonly engine: string
  readonly version: string
  /** Of the audio that it receives. */
  readonly sampleRateHz: number
  /** How much audio it uses. Of longer audio it uses the end. */
  readonly maxAudioMs: number
}

/** The end of a turn detection. */
export interface TurnDetectionEnd {
  /** How likely the speaker has finished, from 0 to 1. */
  readonly completeProbability: number
}

/** The end of a recognition. */
export interface RecognitionEnd {
  readonly acoustics: Acoustics
}

/** The whole text of a job so far; may be empty. */
export interface RecognizedText {
  readonly text: string
}

export interface SpeakCommand {
  /** Plain text, which may look like markup. */
  readonly text: string
  readonly voiceId: string
  readonly variant: string
  /** One of the voice's languages; null takes its main one. */
  readonly language: string | null
  /** 0.5 to 2, where 1 is the voice's own pace. */
  readonly speed: number
  /** 0 to 2, where 1 is the voice's own loudness. */
  readonly volume: number
  /** Whether phonemes are wanted. Default true. */
  readonly phonemes?: boolean | undefined
  /** Whether earlier audio is still being played, so that the first block of this job is not urgent. Default false. */
  readonly ahead?: boolean | undefined
}

/** A word of the text, verbatim, with its UTF-16 offsets there. Times are ms of the job's audio. */
export interface WordMark {
  readonly text: string
  readonly textStart: number
  readonly textEnd: number
  readonly startMs: number
  readonly endMs: number
}

/** A phoneme in IPA, with a stress mark where the engine has one. Pauses are gaps between phonemes. */
export interface PhonemeMark {
  readonly ipa: string
  readonly startMs: number
  readonly endMs: number
}

/** Each list is in chronological order. */
export interface SpeechMarks {
  readonly words: readonly WordMark[]
  readonly phonemes: readonly PhonemeMark[]
  /**
   * The pause in ms after the text when more text follows. It is not part of the job's audio. The last marks of a job that
   * have a pause determine it.
   */
  readonly pauseMs?: number | undefined
}

/** Why a job failed or, for job 0, why there is no hello; for logs. */
export interface EngineFailure {
  readonly message: string
}

/** What models write for sounds that are not words, such as `[BLANK_AUDIO]` and `(wind blowing)`. */
const sounds = /\[[^\]]*\]|\([^)]*\)|（[^）]*）|\*[^*]*\*/g
const word = /[\p{L}\p{N}]/u

/** The recognized text, trimmed; empty when it has no words, but only punctuation and names of sounds. */
export const recognizedWords = (text: string): string => (word.test(text.replace(sounds, '')) ? text.trim() : '')

/**
 * Why the engine cannot work on this machine: something is not installed, or has another version. Another process would
 * not work either.
 */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError'
}
