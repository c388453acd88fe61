import type { Disconnection } from './client-events.js'
import type { ParlanceError } from './parlance-error.js'
import type { ServerEvent } from './server-event.js'

export interface SessionListener {
  /** The microphone is on, and the connection is being opened. */
  onConnecting(): void
  onEvent(event: ServerEvent): void
  onTrack(track: MediaStreamTrack): void
  /** The network was lost, or is back. */
  onConnectivity(isConnected: boolean): void
  /** The session continues. */
  onError(error: ParlanceError): void
  onEnd(end: Disconnection): void
}
