import { readFile } from 'node:fs/promises'
import { EngineUnavailableError, type HostedTurnDetector } from '@parlance/engine/host'
import { bandCount, frameCount, logMel, sampleRateHz, windowSamples } from './log-mel.js'
import { loadOnnxRuntime } from './onnx-runtime.js'

const interfaceOfModel = { inputName: 'input_features', inputShape: [1, bandCount, frameCount], outputName: 'logits' }

/**
 * Opens a model with the interface of Smart Turn v3, which takes the features of the last 8 s and returns the probability
 * that the speaker has finished. Rejects with an `EngineUnavailableError` when the file is missing or is another model.
 */
export const openTurnDetector = async (file: string): Promise<HostedTurnDetector> => {
  const runtime = await loadOnnxRuntime()
  const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw new EngineUnavailableError(`the model ${file} cannot be read (${cause.code})`, { cause })
  })
  try {
    const model = runtime.openModel(bytes, interfaceOfModel)
    const detect = async (samples: Int16Array): Promise<number> => {
      const probability = model.run(logMel(samples))
      if (probability >= 0 && probability <= 1) return probability
      throw new Error(`the model returned ${probability} for a probability`)
    }
    // The first run takes longest, and shows whether the model works.
    await detect(new Int16Array(windowSamples))
    const maxAudioMs = (windowSamples / sampleRateHz) * 1000
    return { hello: { engine: 'smart-turn', version: runtime.version, sampleRateHz, maxAudioMs }, detect }
  } catch (cause) {
    throw new EngineUnavailableError(`${file} is not Smart Turn v3: ${(cause as Error).message}`, { cause })
  }
}
