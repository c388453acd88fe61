/**
 * `idle` before the first `connect`, `disconnected` after a session or a failed attempt; `connect` may be called in both.
 * `reconnecting`: the network is lost, and the session continues if it comes back soon.
 */
export type ConnectionState =
  | 'idle'
  | 'requesting-microphone'
  | 'connecting'
  | 'connected'
  | 'reconnecting'
  | 'disconnecting'
  | 'disconnected'
