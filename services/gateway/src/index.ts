export { gateway } from './service.js'
