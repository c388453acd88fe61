export { type Heartbeat, startHeartbeat } from './heartbeat.js'
export type { SessionPlace } from './session-registry.js'
export { createSessionRegistry, type LocatedSession, type SessionRegistry } from './session-registry.js'
export { createUnconnectedStarts, maxUnconnectedStartsPerMinute, type UnconnectedStarts } from './unconnected-starts.js'
