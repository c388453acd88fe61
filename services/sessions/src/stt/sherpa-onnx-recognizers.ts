/**
 * Local models by sherpa-onnx: a recognizer for each folder of the models folder with a recognition model, now or later.
 * A folder with faults and a model that cannot be loaded are logged, and the other models are used.
 */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { keepModelsOpen, type OpenModels, type RecognitionModel } from '@parlance/models'
import { z } from 'zod'
import { openProcessRecognizer, type ProcessRecognizerOptions } from './process-recognizer.js'
import type { Recognizer } from './recognizer.js'
import { processesSchema, recognizerProvider } from './recognizer-provider.js'
import { createRecognizerSet, type RecognizerSet } from './recognizer-set.js'

export interface SherpaOnnxOptions
  extends Pick<ProcessRecognizerOptions, 'logger' | 'maxWaitingPerProcess' | 'finishTimeoutMs'> {
  /** Contains a folder for each model. */
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
interface FoundModel {
  readonly model: RecognitionModel
  readonly path: string
}

/** Loads a model once, and logs that. Rejects when it cannot be loaded. */
const openModelRecognizer = async (
  { model, path }: FoundModel,
  { modelsDir: _, threads, maxProcesses = defaultProcesses(threads), ...options }: SherpaOnnxOptions,
): Promise<Recognizer> => {
  const { logger } = options
  const program = fileURLToPath(import.meta.resolve('@parlance/engine-sherpa-onnx/recognize'))
  const which = { folder: model.name, bytes: model.sizeBytes }
  const startedMs = performance.now()
  logger.info(which, 'A recognition model is being loaded')
  const recognizer = await openProcessRecognizer({
    ...options,
    name: `sherpa-onnx/${model.name}`,
    quality: model.quality,
    command: [process.execPath, program, path, String(threads)],
    maxProcesses,
    startTimeoutMs,
  })
  const durationMs = Math.round(performance.now() - startedMs)
  logger.info({ ...which, durationMs, language: model.languages.join(', ') }, 'A recognition model has been loaded')
  if (recognizer.isSlow) logger.warn(which, 'A recognition model is slower than speech here, and is not used')
  return recognizer
}

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

export const sherpaOnnxProvider = recognizerProvider({
  variables: {
    MODELS_DIR: z
      .string()
      .min(1)
      .optional()
      .describe('the folder of the installed models, a folder each, which may change at any time'),
    STT_SHERPA_MODELS_DIR: z
      .string()
      .refine(() => false, {
        error: ({ input }) => `No longer read. Set MODELS_DIR to the folder of the models, such as ${input}.`,
      })
      .optional()
      .describe('no value: it is no longer read, and the start fails where it is set; MODELS_DIR names the folder'),
    STT_SHERPA_THREADS: z.coerce
      .number()
      .int()
      .min(1)
      .max(64)
      .default(1)
      .describe('how many threads a process of sherpa-onnx has'),
    STT_SHERPA_PROCESSES: processesSchema.describe(
      'how many utterances each model of sherpa-onnx recognizes at once, a process for each',
    ),
  },
  missing: ({ MODELS_DIR: modelsDir }) => (modelsDir === undefined ? 'MODELS_DIR' : undefined),
  async open(settings, { logger }) {
    const { STT_SHERPA_THREADS: threads, STT_SHERPA_PROCESSES: maxProcesses } = settings
    const set = createRecognizerSet()
    const models = startInstalledRecognizers({ logger, modelsDir: settings.MODELS_DIR!, threads, maxProcesses }, set)
    await models.started
    return {
      recognizers: set.members,
      close: async () => void (await Promise.all([models.stop(), set.close()])),
    }
  },
})
