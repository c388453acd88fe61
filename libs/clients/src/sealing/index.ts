export { openDirectlySealed } from './directly-sealed.js'
export { createSealing, type Sealing } from './sealing.js'
