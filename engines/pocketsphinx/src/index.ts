export { openRecognizer } from './recognizer.js'
