export { openHearer } from './hearer.js'
export type { HostedRecognizer } from './recognizer-host.js'
