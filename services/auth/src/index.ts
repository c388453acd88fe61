export { auth } from './service.js'
