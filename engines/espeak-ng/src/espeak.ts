/**
 * The build of eSpeak NG: the system's library, which is several times as fast, or the WebAssembly, which is always
 * available.
 */
export type Implementation = 'native' | 'wasm'

/** How eSpeak speaks. Every field is set for every text, so that no setting of an earlier text remains. */
interface SpeakingStyle {
  /** A language with a timbre, such as `en-us+f2`. */
  readonly voice: string
  /** 80 to 450. */
  readonly wordsPerMinute: number
  /** 0 to 99, 50 is the timbre's own. */
  readonly pitch: number
  /** 0 to 99, 0 is monotone. */
  readonly range: number
  /** In percent, 0 to 200. */
  readonly volume: number
}

/** Receives the events of a synthesis in their order. */
export interface SynthesisListener {
  /** A word begins. `codePoint` is a position in the text, from 0: inside the word, not always at its start. */
  onWord(codePoint: number): void
  /** A sound begins at `ms` from the first sample. `ipa` is empty for a pause. */
  onSound(ipa: string, ms: number): void
  /** Receives mono s16 samples, at least one; they are overwritten afterwards. Returns false to stop the synthesis. */
  onAudio(samples: Int16Array): boolean
}

/** eSpeak NG. Its state is global, so a process has one. */
export interface Espeak {
  readonly implementation: Implementation
  readonly version: string
  readonly sampleRateHz: number
  /** Speaks a text as SSML and returns at its end. */
  synthesize(text: string, style: SpeakingStyle, listener: SynthesisListener): void
}

/** An IPA symbol is cut off after 8 bytes, sometimes in the middle of a character. */
export const wholeCharacters = (ipa: string): string => ipa.replace(/[\0-\x1f\ufffd]/g, '')
