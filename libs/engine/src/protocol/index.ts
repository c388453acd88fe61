export * from './frame.js'
export * from './message.js'
