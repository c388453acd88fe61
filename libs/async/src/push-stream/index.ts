export { deliverAll } from './deliver-all.js'
export { iterate } from './iterate.js'
export type { PushStream, Sink } from './push-stream.js'
export { pushStreamFrom } from './push-stream-from.js'
