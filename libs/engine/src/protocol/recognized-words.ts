/** What models write for sounds that are not words, such as `[BLANK_AUDIO]` and `(wind blowing)`. */
const sounds = /\[[^\]]*\]|\([^)]*\)|（[^）]*）|\*[^*]*\*/g
const word = /[\p{L}\p{N}]/u

/** The recognized text, trimmed; empty when it has no words, but only punctuation and names of sounds. */
export const recognizedWords = (text: string): string => (word.test(text.replace(sounds, '')) ? text.trim() : '')
