import { keepModelsOpen, type OpenModels } from '@parlance/models'
import type { RecognizerSet } from './recognizer-set.js'
import { openModelRecognizer, type SherpaOnnxOptions } from './sherpa-onnx-recognizers.js'

/**
 * Keeps a recognizer in the set for each recognition model that is in the models folder now or later. One whose model is
 * removed is chosen no more, and closed when the conversations that use it have ended. A model that cannot be used is logged.
 */
export const startInstalledRecognizers = (options: SherpaOnnxOptions, set: RecognizerSet): OpenModels => {
  const { logger, modelsDir } = options
  return keepModelsOpen({
    modelsDir,
    purpose: 'recognition',
    async open(found, signal) {
      const recognizer = await openModelRecognizer(found, options)
      if (signal.aborted) {
        await recognizer.close()
        signal.throwIfAborted()
      }
      set.add(recognizer)
      logger.info({ engine: recognizer.name, language: found.model.languages.join(', ') }, 'Speech is recognized here')
      return () => set.remove(recognizer.name)
    },
    onRefused: (folder, err) => logger.error({ folder, err }, 'A recognition model cannot be used'),
    onUnreadable: (err) => logger.error({ folder: modelsDir, err }, 'The models folder cannot be read'),
  })
}
