export { settlesWithin, withTimeout } from './timeout.js'
