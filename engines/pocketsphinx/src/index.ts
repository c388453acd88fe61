export { openHearer } from './recognizer.js'
