export { iterate } from './iterate.js'
export type { PushStream, Sink } from './push-stream.js'
export { deliverAll, pushStreamFrom } from './push-stream.js'
