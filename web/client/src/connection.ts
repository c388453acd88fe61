import type { SessionDescription, StartedSession } from './session-api.js'

/** A position in the audio that is being played. */
export interface AudioMoment {
  /** On the clock of the service's audio, which continues through silence. */
  readonly streamMs: number
  /** When it was played, by `performance.now()`. It does not change while nothing is played. */
  readonly atMs: number
}

/** A connection to the service: events as text, and audio in both directions. */
export interface Connection {
  /** Does nothing unless the connection is open. */
  send(message: string): void
  /** Replaces the microphone. */
  setMicrophone(track: MediaStreamTrack): Promise<void>
  /** Undefined before the first audio. */
  audioMoment(): AudioMoment | undefined
  /** How much of each silence is sent and played before nothing is sent. */
  readonly sentSilenceMs: number
  /** The listener is not called afterwards. */
  close(): void
  /** The service no longer answers: opens the connection again. */
  reconnect(): void
}

export interface ConnectionListener {
  onMessage(data: unknown): void
  onTrack(track: MediaStreamTrack): void
  /** The network was lost, or is back. */
  onConnectivity(isConnected: boolean): void
  /** The connection was closed, or was lost and could not be opened again. */
  onClosed(): void
}

export interface ConnectionOptions {
  /** Without one no audio is sent; the audio of the Agent is still received. */
  readonly microphone: MediaStreamTrack | undefined
  /** The audio context that was unlocked when the user asked to connect. */
  readonly audioContext: () => AudioContext | undefined
  readonly token: string
  readonly iceServers: () => Promise<RTCIceServer[]>
  /** Asks the service to start the session over this transport. Rejects when connecting was aborted. */
  readonly start: (transport: {
    readonly transport: 'webrtc' | 'websocket'
    readonly sdp?: { readonly type: 'offer'; readonly sdp: string }
  }) => Promise<StartedSession>
  /** Asks the service for another connection of the session. Resolves to the answer to its SDP offer. */
  readonly restart: (offer: string, signal: AbortSignal) => Promise<SessionDescription>
  readonly listener: ConnectionListener
}

/**
 * Resolves when the session has started; the connection may open later. Rejects with a `ParlanceError`, and frees
 * everything.
 */
export type OpenConnection = (options: ConnectionOptions) => Promise<Connection>
