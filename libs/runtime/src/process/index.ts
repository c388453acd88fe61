export { reasonOf } from './error-reason.js'
export { exitProcess } from './exit-process.js'
export { withoutCredentials } from './server-address.js'
export { StartupError } from './startup-error.js'
