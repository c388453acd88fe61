export type { Flow, Take } from './flow.js'
export { flowOf } from './flow-of.js'
export { iterate } from './iterate.js'
