export { tokens } from './service.js'
