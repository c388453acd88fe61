export { settings } from './settings.mjs'
export { createTokenRouter } from './token-router.mjs'
