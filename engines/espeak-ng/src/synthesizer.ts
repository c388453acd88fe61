/** Where eSpeak NG comes from: the machine's own library, several times as fast, or the WebAssembly that is always there. */
export type Implementation = 'native' | 'wasm'

/** How eSpeak is to speak; all of it is set for every text, so that nothing of the one before is left. */
export interface SpeakingStyle {
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

/** Told of what eSpeak does, in the order in which it does it. */
export interface SynthesisListener {
  /** From 0, in code points of the text: inside the word that comes, not always at its start. */
  onWord(codePoint: number): void
  /** The IPA of a sound, empty for a pause, and when it begins, in ms from the first sample. */
  onSound(ipa: string, ms: number): void
  /** Mono s16 samples, overwritten afterwards; never none. Answering false ends the speech there. */
  onAudio(samples: Int16Array): boolean
}

/** eSpeak NG. Its state is global: one a process. */
export interface Synthesizer {
  readonly implementation: Implementation
  readonly version: string
  readonly sampleRateHz: number
  /** Speaks a text as SSML, to its end before it returns. */
  synthesize(text: string, style: SpeakingStyle, listener: SynthesisListener): void
}

/** An IPA symbol is cut off after 8 bytes, sometimes in the middle of a character. */
export const wholeCharacters = (ipa: string): string => ipa.replace(/[\0-\x1f\ufffd]/g, '')
