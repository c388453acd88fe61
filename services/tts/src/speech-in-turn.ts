import type { Engine, SpeakOptions } from './engine/engine.js'
import type { FatalTexts } from './fatal-texts.js'
import type { AdmittedRequest } from './scheduler.js'

/**
 * The engine as one request has it: each utterance begins when it is the request's turn. What `fatalTexts` knows is not
 * spoken, and is looked up again after the wait, since it may have become known meanwhile.
 */
export const createSpeechInTurn = (
  engine: Engine,
  request: AdmittedRequest,
  { workspaceId, fatalTexts }: { workspaceId: string; fatalTexts: FatalTexts },
  onEnd: NonNullable<SpeakOptions['onEnd']>,
): Pick<Engine, 'sampleRateHz' | 'speak'> => ({
  sampleRateHz: engine.sampleRateHz,
  async *speak(utterance, options) {
    const { text, ahead = false } = utterance
    const check = () => {
      // A speech that has begun is spoken to its end.
      if (!ahead) fatalTexts.checkWorkspace(workspaceId)
      fatalTexts.checkText(engine.name, text)
    }
    check()
    const release = await request.engine(options.signal)
    try {
      check()
      yield* engine.speak(utterance, {
        ...options,
        onEnd(spoken) {
          // The engine is free when the audio is made, not when it has been read.
          release()
          onEnd(spoken)
        },
      })
    } catch (error) {
      fatalTexts.onFailure(error, { engine: engine.name, workspaceId, text })
      throw error
    } finally {
      release()
    }
  },
})
