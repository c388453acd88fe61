export type { SynthesizerChoice } from './open-synthesizer.js'
export { openSpeaker, type Speaker } from './speaker.js'
export type { Implementation } from './synthesizer.js'
export { type EspeakVoice, voices } from './voices.js'
