export { sessions } from './service.js'
