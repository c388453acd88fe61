export { openHearer } from './hearer.js'
