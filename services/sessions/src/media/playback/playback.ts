/**
 * Plays audio to the peer in real time.
 *
 * - Audio is written faster than real time, and sent as one frame of 20 ms every 20 ms, without drift. A late tick is made up
 *   for; after a long stall the time is lost rather than sent in a burst.
 * - After silence the first frame is sent as soon as it is written, and one tick of the silence after the speech is left out.
 * - `pause` and `clear` take effect with the next frame, which fades out within 5 ms, so that it does not click. Samples of
 *   the fade-out do not count as played, and are played again after a pause.
 */
export interface Playback {
  /** Appends 16-bit mono PCM at 24 kHz, of any length. */
  write(samples: Int16Array): void
  /** Audio written and not played, in ms. */
  waitingMs(): number
  /** Resolves when less than `waitingMs` of audio waits, or when waiting audio was dropped. */
  below(waitingMs: number): Promise<void>
  /** Written audio that was played since `begin`, in ms, without the silence between. */
  playedMs(): number
  /** Begins a new speech: drops waiting audio, ends a pause, and counts from 0. */
  begin(): void
  /** Keeps waiting audio and sends silence from the next frame on. */
  pause(): void
  resume(): void
  /** Drops waiting audio, ends a pause, and sends silence from the next frame on. */
  clear(): void
  close(): void
}
