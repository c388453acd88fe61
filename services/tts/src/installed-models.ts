import { keepModelsOpen, type OpenModels } from '@parlance/models'
import type { EngineContext } from './engine/engine.js'
import { createModelEngine, sherpaOnnxEngineConfig } from './engine/sherpa-onnx-engine.js'
import type { SpeechWorker } from './speech-worker.js'

interface InstalledModelsOptions extends Pick<EngineContext, 'logger' | 'onReplace'> {
  /** A folder with a folder for each model. It may not exist yet. */
  readonly modelsDir: string
  readonly worker: Pick<SpeechWorker, 'add' | 'remove'>
  /** Of each model. Default: as for a model of an engines file that does not say. */
  readonly processes?: number
}

/** The prefix of the names of the engines, on which the ids of their voices depend. */
const entry = 'local'

/**
 * Lets the worker speak with each model that is in the folder now or later, and no longer with one that is removed: its voices
 * are withdrawn at once, and its process ends when its last request is answered. A model that cannot be used is logged.
 */
export const startInstalledModels = ({
  modelsDir,
  worker,
  processes,
  logger,
  onReplace,
}: InstalledModelsOptions): OpenModels => {
  const config = sherpaOnnxEngineConfig.parse({ type: 'sherpa-onnx', models_dir: modelsDir, processes })
  return keepModelsOpen({
    modelsDir,
    purpose: 'speech',
    async open(found, signal) {
      const { model } = found
      const which = { folder: model.name, bytes: model.sizeBytes }
      const startedMs = performance.now()
      logger.info(which, 'A speech model is being loaded')
      const { engine, open } = createModelEngine(entry, config, found, { logger, onReplace }, { mustStart: true })
      const abandon = () => void engine.close()
      signal.addEventListener('abort', abandon, { once: true })
      try {
        await open()
        signal.throwIfAborted()
        await worker.add(engine)
      } catch (error) {
        await engine.close()
        throw error
      } finally {
        signal.removeEventListener('abort', abandon)
      }
      logger.info({ ...which, durationMs: Math.round(performance.now() - startedMs) }, 'A speech model has been loaded')
      return async () => {
        await worker.remove(engine.name)
        await engine.close()
        logger.info(which, 'A speech model has been closed')
      }
    },
    onRefused: (folder, err) => logger.error({ folder, err }, 'A speech model cannot be used'),
    onUnreadable: (err) => logger.error({ folder: modelsDir, err }, 'The models folder cannot be read'),
  })
}
