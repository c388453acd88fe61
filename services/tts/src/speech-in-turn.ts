import type { Engine, SpeakOptions } from './engine/engine.js'
import type { AdmittedRequest } from './scheduler.js'

/** The engine as one request has it: each utterance begins when it is the request's turn. */
export const createSpeechInTurn = (
  engine: Engine,
  request: AdmittedRequest,
  onEnd: NonNullable<SpeakOptions['onEnd']>,
): Pick<Engine, 'sampleRateHz' | 'speak'> => ({
  sampleRateHz: engine.sampleRateHz,
  async *speak(utterance, options) {
    const release = await request.engine(options.signal)
    try {
      yield* engine.speak(utterance, {
        ...options,
        onEnd(spoken) {
          // The engine is free when the audio is made, not when it has been read.
          release()
          onEnd(spoken)
        },
      })
    } finally {
      release()
    }
  },
})
