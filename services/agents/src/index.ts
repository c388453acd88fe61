export { agents } from './service.js'
