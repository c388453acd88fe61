export type { Implementation } from './espeak.js'
export { openSynthesizer, type Synthesizer } from './synthesizer.js'
export { voices } from './voices.js'
