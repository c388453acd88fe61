export * from './engine-unavailable-error.js'
export * from './frame.js'
export * from './message.js'
export { recognizedWords } from './recognized-words.js'
