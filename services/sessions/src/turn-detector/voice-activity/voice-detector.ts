/**
 * Detects speech in the audio of a microphone. Each conversation has its own detector, since the result depends on earlier
 * frames.
 */
export interface VoiceDetector {
  /**
   * Takes the next 20 ms (320 samples of mono PCM at 16 kHz), and returns whether there is a voice. The beginning and the end of
   * a voice are noticed late.
   */
  detect(frame: Int16Array): boolean
  /** How long before the end of the last frame the voice began or ended, if that frame changed the result. */
  changedAgoMs(): number
  /** Resets the state, as if no frame had been received. */
  reset(): void
  close(): void
}

export type OpenVoiceDetector = () => VoiceDetector
