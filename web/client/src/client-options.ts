export type InputMode = 'push-to-talk' | 'automatic'

export type TransportKind = 'webrtc' | 'websocket'

export interface ParlanceClientOptions {
  /** The UUID of a published Agent; not its slug. */
  readonly agentId: string
  /** A fresh token from your own backend, which alone holds the key. Called on every `connect`. */
  readonly sessionToken: () => string | Promise<string>
  /** Where the API is, such as `https://voice.example.com`. The page's own origin where it is left out. */
  readonly apiOrigin?: string
  /** `webrtc` where it is left out. `websocket` is for networks where UDP does not pass: it is later to be heard. */
  readonly transport?: TransportKind
}

export interface ConnectOptions {
  /** `push-to-talk` where it is left out. */
  readonly inputMode?: InputMode
  /** The user only types. The microphone is not asked for. The Agent still speaks. */
  readonly textOnly?: boolean
  /** Gives up connecting when it aborts. Without effect once connected. */
  readonly signal?: AbortSignal
}
