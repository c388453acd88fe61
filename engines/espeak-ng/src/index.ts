export type { Implementation } from './espeak.js'
export { openSynthesizer, type Synthesizer, type SynthesizerChoice } from './synthesizer.js'
export type { EspeakVoice } from './voices.js'
export { voices } from './voices.js'
