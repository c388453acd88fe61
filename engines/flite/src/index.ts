export { openSynthesizer, type Synthesizer, type SynthesizerOutput } from './synthesizer.js'
export { type FliteVoice, voices } from './voices.js'
