/** Sentences, and the pauses between them, for engines that speak a text in parts. */
export { createForcedCuts, type ForcedCuts } from '../forced-cut.js'
export { endsSentence, type PauseOptions, punctuationPauseMs } from './punctuation-pause.js'
export { sentencesOf } from './sentences-of.js'
export { type SpeechPiece, speechPieces } from './speech-piece.js'
export { createTrailingSilence, silenceLevel, type TrailingSilence } from './trailing-silence.js'
