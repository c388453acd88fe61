/**
 * `push-to-talk`: the microphone is sent between start and commit. `automatic`: it is sent all the time, and the service
 * detects speech.
 */
export type InputMode = 'push-to-talk' | 'automatic'

/** The transport of audio and events. */
export type TransportKind = 'webrtc' | 'websocket'

/** Options of a client. */
export interface ParlanceClientOptions {
  /** The UUID of a published Agent, not its slug. */
  readonly agentId: string
  /** Returns a fresh token from your own backend, which keeps the key. Called by every `connect`. */
  readonly sessionToken: () => string | Promise<string>
  /** The origin of the API, such as `https://voice.example.com`. Default: the page's own origin. */
  readonly apiOrigin?: string
  /** Default `webrtc`. `websocket` is for networks that block UDP; its latency is higher. */
  readonly transport?: TransportKind
  /**
   * Returns the `traceparent` header of the page's own trace, which the requests of a session then continue. Called for each
   * request; without it, or where it returns undefined, a request has no such header.
   */
  readonly traceparent?: () => string | undefined
}

/** Options of one session. */
export interface ConnectOptions {
  /** Default `push-to-talk`. */
  readonly inputMode?: InputMode
  /** The user types, and the page never asks for the microphone. The Agent still speaks. */
  readonly textOnly?: boolean
  /** Aborts connecting. It has no effect on a session. */
  readonly signal?: AbortSignal
}
