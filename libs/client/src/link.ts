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
  /** Nothing is told after this. */
  close(): void
}

export interface LinkListener {
  onOpen(): void
  onMessage(data: unknown): void
  onTrack(track: MediaStreamTrack): void
  /** Whether the network carries it. */
  onCarried(carried: boolean): void
  /** It is closed, and does not come back. */
  onGone(): void
}
