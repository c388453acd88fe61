/** Tells voice from everything else that a microphone hears. One for each conversation; it remembers what came before. */
export interface VoiceDetector {
  /**
   * Takes the next 20 ms (320 samples of mono PCM at 16 kHz) and answers whether there is a voice now. It is right about 60 ms late at
   * the beginning of speech and at its end; how long a pause means anything is for whoever takes turns to say.
   */
  hears(frame: Int16Array): boolean
  /** Forgets what came before. */
  reset(): void
  close(): void
}

export type OpenVoiceDetector = () => VoiceDetector
