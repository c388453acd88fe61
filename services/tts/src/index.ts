export { tts } from './service.js'
