export { openSpeaker, type Speaker, type SpeakerOutput } from './speaker.js'
export { type FliteVoice, voices } from './voices.js'
