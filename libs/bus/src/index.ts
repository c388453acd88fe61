export * from './bus.js'
export * from './call-context.js'
export * from './client.js'
