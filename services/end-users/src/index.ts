export { endUsers } from './service.js'
