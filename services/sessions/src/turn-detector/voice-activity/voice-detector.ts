/**
 * Detects speech in the audio of a microphone. Each conversation has its own detector, since the result depends on earlier
 * frames.
 */
export interface VoiceDetector {
  /**
   * Takes the next 20 ms (320 samples of mono PCM at 16 kHz), and returns whether there is a voice. The result lags about 60 ms
   * behind the beginning and the end of speech.
   */
  detect(frame: Int16Array): boolean
  /** Resets the state, as if no frame had been received. */
  reset(): void
}

export type OpenVoiceDetector = () => VoiceDetector
