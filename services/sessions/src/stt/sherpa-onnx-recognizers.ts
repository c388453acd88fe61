/**
 * Local models by sherpa-onnx: a recognizer for each folder of the models folder that holds a recognition model. A folder
 * with faults and a model that cannot be loaded are logged, and the other models are used.
 */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type RecognitionModel, readModelsFolder } from '@parlance/models'
import type { Logger } from '@parlance/telemetry'
import { openProcessRecognizer, type ProcessRecognizerOptions } from './process-recognizer.js'
import type { Recognizer } from './recognizer.js'

export interface SherpaOnnxOptions extends Pick<ProcessRecognizerOptions, 'logger' | 'maxWaitingPerProcess'> {
  /** Holds a folder for each model. */
  readonly modelsDir: string
  /** Threads of each process. */
  readonly threads: number
  /** For each model. Default: the number of cores divided by `threads`. */
  readonly maxProcesses?: number | undefined
}

/** Long enough for a big model on a busy machine with a slow disk. */
const startTimeoutMs = 180_000

const defaultProcesses = (threads: number) => Math.max(1, Math.floor(availableParallelism() / threads))

/** A model and its folder. */
export interface FoundModel {
  readonly model: RecognitionModel
  readonly path: string
}

const findModels = async (modelsDir: string, logger: Logger): Promise<FoundModel[]> => {
  const folders = await readModelsFolder(modelsDir).catch((cause: unknown) => {
    throw new Error(`the models folder ${modelsDir} cannot be read`, { cause })
  })
  return folders.flatMap(({ name, path, purpose, reading }) => {
    if (purpose !== 'recognition') return []
    if ('model' in reading) return [{ model: reading.model, path }]
    logger.error({ folder: name, err: new Error(reading.problems.join('; ')) }, 'A model folder is refused')
    return []
  })
}

/** Loads a model once, and logs that. Rejects when it cannot be loaded. */
export const openModelRecognizer = async (
  { model, path }: FoundModel,
  { logger, threads, maxWaitingPerProcess, maxProcesses = defaultProcesses(threads) }: SherpaOnnxOptions,
): Promise<Recognizer> => {
  const program = fileURLToPath(import.meta.resolve('@parlance/engine-sherpa-onnx/recognize'))
  const which = { folder: model.name, bytes: model.sizeBytes }
  const startedMs = performance.now()
  logger.info(which, 'A recognition model is being loaded')
  const recognizer = await openProcessRecognizer({
    name: `sherpa-onnx/${model.name}`,
    quality: model.quality,
    logger,
    command: [process.execPath, program, path, String(threads)],
    maxProcesses,
    startTimeoutMs,
    ...(maxWaitingPerProcess === undefined ? {} : { maxWaitingPerProcess }),
  })
  const durationMs = Math.round(performance.now() - startedMs)
  logger.info({ ...which, durationMs, language: model.languages.join(', ') }, 'A recognition model has been loaded')
  if (recognizer.isSlow) logger.warn(which, 'A recognition model is slower than speech here, and is not used')
  return recognizer
}

/** Loads every model once. Rejects when no model can be loaded. */
export const openSherpaOnnxRecognizers = async (options: SherpaOnnxOptions): Promise<Recognizer[]> => {
  const { logger, modelsDir } = options
  const recognizers: Recognizer[] = []
  for (const found of await findModels(modelsDir, logger)) {
    try {
      recognizers.push(await openModelRecognizer(found, options))
    } catch (error) {
      const { name: folder, sizeBytes: bytes } = found.model
      logger.error({ folder, bytes, err: error }, 'A recognition model cannot be loaded')
    }
  }
  if (recognizers.length === 0) throw new Error(`there is no model in ${modelsDir} by which speech can be recognized`)
  return recognizers
}
