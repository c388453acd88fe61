/**
 * `idle` before the first `connect`, `disconnected` after a session or a failed attempt. From both one can connect.
 * `reconnecting`: the network is gone, and the session goes on if it comes back soon.
 */
export type ConnectionState =
  | 'idle'
  | 'requesting-microphone'
  | 'connecting'
  | 'connected'
  | 'reconnecting'
  | 'disconnecting'
  | 'disconnected'
