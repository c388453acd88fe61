import type { StartedSession } from './session-api.js'

/** The audio that is heard at this moment. */
export interface AudioMoment {
  /** On the clock of the service's audio, which goes on through silence. */
  readonly streamMs: number
  /** When that was played, by `performance.now()`. It stays where it is while nothing is played. */
  readonly atMs: number
}

/** The way to the service: events as text, and audio both ways. */
export interface Link {
  /** Does nothing when the link is not open, or no longer. */
  send(message: string): void
  /** Another microphone in place of the one there was. */
  setMicrophone(track: MediaStreamTrack): Promise<void>
  /** Undefined before the first audio. */
  audioMoment(): AudioMoment | undefined
  /** Of each silence so much is sent, and played, before nothing is sent any more. */
  readonly sentSilenceMs: number
  /** Nothing is told after this. */
  close(): void
}

export interface LinkListener {
  onMessage(data: unknown): void
  onTrack(track: MediaStreamTrack): void
  /** Whether the network carries it. */
  onCarried(carried: boolean): void
  /** It is closed, and does not come back. */
  onGone(): void
}

export interface LinkOptions {
  /** Without one nothing is sent, and the Agent is heard all the same. */
  readonly microphone: MediaStreamTrack | undefined
  readonly token: string
  readonly iceServers: () => Promise<RTCIceServer[]>
  /** Has the service start the session, over this. Rejects where that was given up. */
  readonly start: (transport: {
    readonly transport: 'webrtc' | 'websocket'
    readonly sdp?: { readonly type: 'offer'; readonly sdp: string }
  }) => Promise<StartedSession>
  readonly listener: LinkListener
}

/** Resolves when the session has started; the link may open later. Rejects with a `ParlanceError`, and leaves nothing then. */
export type OpenLink = (options: LinkOptions) => Promise<Link>
