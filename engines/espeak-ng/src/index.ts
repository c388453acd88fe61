export { openSpeaker, type Speaker } from './speaker.js'
export { type EspeakVoice, voices } from './voices.js'
