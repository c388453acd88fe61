export { catalog } from './service.js'
