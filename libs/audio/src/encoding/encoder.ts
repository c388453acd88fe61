/**
 * Encodes mono PCM as one audio file or stream. The bytes depend on the samples only, and not on their chunks. They may share the
 * memory of the samples, so neither may be changed. Encoders share no state.
 */
export interface AudioEncoder {
  /** The bytes that are ready after these samples: often none, sometimes those of several chunks. Throws after `finish`. */
  encode(pcm: Int16Array): Uint8Array
  /**
   * The rest of the bytes. It also releases the encoder's resources, so call it in a `finally`, even when the audio is not
   * complete. A second call returns no bytes.
   */
  finish(): Uint8Array
}
