export { type AudioEncoder, createAudioEncoder, warmEncoders } from './audio-encoder.js'
export { createOggOpusEncoder, type OggOpusOptions } from './ogg-opus-encoder.js'
export { createResampler, type Resampler } from './resampler.js'
export { growMemory, openWebAssembly, type WebAssemblyMemory } from './web-assembly.js'
