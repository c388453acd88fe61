export { exitProcess } from './exit-process.js'
export { StartupError } from './startup-error.js'
