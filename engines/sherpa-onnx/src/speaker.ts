import { EngineUnavailableError } from '@parlance/engine/host'
import type { SpeechModel } from '@parlance/models'
import { modelConfig } from './model-config.js'
import { nativeWork } from './native-work.js'
import { loadSherpaOnnx } from './sherpa-library.js'

/** Receives a sentence of mono samples of -1 to 1. Returns false to stop the speech. */
export type OnSamples = (samples: Float32Array) => boolean

/** A loaded model. */
export interface Speaker {
  readonly sampleRateHz: number
  readonly speakerCount: number
  /**
   * Speaks sentence by sentence in another thread. A text without anything to speak gives no samples. Stops only between two
   * sentences, since the library cannot be stopped within one. Rejects with `NativeWorkError`.
   */
  speak(utterance: { text: string; speakerId: number; speed: number }, onSamples: OnSamples): Promise<void>
}

/** The library reads UTF-8 up to the first NUL. */
const speakable = (text: string): string => text.toWellFormed().replaceAll(/\p{Cc}/gu, ' ')

/**
 * Loads a model. Wrong files may end the process. Rejects with `EngineUnavailableError` where the library does not run on this
 * machine or cannot load the model.
 */
export const openSpeaker = async (model: SpeechModel, threads: number): Promise<Speaker> => {
  const sherpaOnnx = await loadSherpaOnnx()
  const tts = await sherpaOnnx.OfflineTts.createAsync(modelConfig(model, threads)).catch((cause: Error) => {
    throw new EngineUnavailableError(`the model ${model.name} cannot be loaded: ${cause.message}`, { cause })
  })

  return {
    sampleRateHz: tts.sampleRate,
    speakerCount: Math.max(1, tts.numSpeakers),

    speak: async ({ text, speakerId, speed }, onSamples) => {
      let samplesMade = 0
      const onProgress = ({ samples }: { samples: Float32Array }) => {
        samplesMade += samples.length
        return samples.length === 0 || onSamples(samples)
      }
      try {
        // A scale of 1 keeps the pauses of the model.
        const generationConfig = { sid: speakerId, speed, silenceScale: 1 }
        await nativeWork(() => tts.generateAsync({ text: speakable(text), generationConfig, onProgress }))
      } catch (error) {
        if (samplesMade > 0 || !/no audio/.test((error as Error).message)) throw error
      }
    },
  }
}
