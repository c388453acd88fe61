export { openSpeaker, type Speaker, UnknownVoiceError } from './speaker.js'
export { type EspeakVoice, voices } from './voices.js'
