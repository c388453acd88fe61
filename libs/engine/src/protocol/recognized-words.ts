/** What models write of sounds that are no words, such as `[BLANK_AUDIO]` and `(wind blowing)`. */
const sounds = /\[[^\]]*\]|\([^)]*\)|（[^）]*）|\*[^*]*\*/g
const word = /[\p{L}\p{N}]/u

/** The text that was recognized, trimmed; empty where it has no word, but only punctuation and names of sounds. */
export const recognizedWords = (text: string): string => (word.test(text.replace(sounds, '')) ? text.trim() : '')
