export { webhooks } from './service.js'
