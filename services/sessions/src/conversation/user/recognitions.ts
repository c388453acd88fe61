import type { Recognition, Recognizer } from '../../stt/recognizer.js'

export interface RecognitionsOptions {
  readonly recognizer: Recognizer
  /** A BCP 47 tag. */
  readonly language: string
  onPartial(utterance: number, text: string): void
  /** The recognizer reports that the user has finished. */
  onEndOfTurn(utterance: number): void
  onFinal(utterance: number, text: string, audioMs: number): void
  onFailed(utterance: number, error: unknown): void
  /** An internal error. */
  onBroken(error: unknown): void
}

/** The recognition of the user's utterances. At most one gets audio; others may still wait for their text. */
export const createRecognitions = (options: RecognitionsOptions) => {
  const { recognizer, language, onPartial, onEndOfTurn, onFinal, onFailed, onBroken } = options
  const recognitions = new Map<number, Recognition>()
  let current: Recognition | undefined
  /** It was previewed, and there was no voice since. */
  let previewed: Recognition | undefined
  /** A recognizer adapts to a voice and its microphone. This object identifies them. */
  const speaker = {}

  const endAudio = (utterance: number): Recognition | undefined => {
    const recognition = recognitions.get(utterance)
    if (recognition === current) current = undefined
    return recognition
  }

  return {
    /** Whether an utterance gets audio. */
    isRecording: () => current !== undefined,
    /** Opens an utterance, with the audio that belongs to its beginning. */
    begin(utterance: number, preRoll: readonly Int16Array[]) {
      current = recognizer.open({
        language,
        speaker,
        onPartial: (text) => onPartial(utterance, text),
        onEndOfTurn: () => onEndOfTurn(utterance),
      })
      recognitions.set(utterance, current)
      for (const frame of preRoll) current.push(frame)
    },
    push: (frame: Int16Array) => current?.push(frame),
    /** Voice begins in the audio. */
    voice: () => {
      previewed = undefined
    },
    /** The text so far of an utterance that gets audio; undefined where it is not known. `isSilent` is whether it pauses. */
    async preview(utterance: number, isSilent: boolean) {
      const recognition = recognitions.get(utterance)
      if (recognition === undefined || recognition !== current) return undefined
      previewed = isSilent ? recognition : undefined
      return recognition.preview?.()
    },
    /** Ends the audio: `onFinal` or `onFailed` follows unless the utterance is cancelled. */
    finish(utterance: number) {
      const recognition = endAudio(utterance)
      if (recognition === undefined) return
      /** False where it was cancelled meanwhile. */
      const isWanted = () => recognitions.delete(utterance)
      recognition
        .finish({ silentSincePreview: recognition === previewed })
        .then(
          ({ text, audioMs }) => isWanted() && onFinal(utterance, text, audioMs),
          (error) => isWanted() && onFailed(utterance, error),
        )
        .catch(onBroken)
    },
    cancel(utterance: number) {
      const recognition = endAudio(utterance)
      recognitions.delete(utterance)
      recognition?.cancel()
    },
    cancelAll() {
      current = undefined
      for (const recognition of recognitions.values()) recognition.cancel()
      recognitions.clear()
    },
  }
}
