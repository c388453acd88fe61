/** Sentences, and the pauses between them, for engines that speak a text in parts. */
export { endsSentence, punctuationPauseMs } from './punctuation-pause.js'
export { type SpeechPiece, speechPieces } from './speech-piece.js'
export { createTrailingSilence, silenceLevel } from './trailing-silence.js'
