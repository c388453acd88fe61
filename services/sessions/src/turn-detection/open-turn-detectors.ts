import { fileURLToPath } from 'node:url'
import { type DetectorModel, readModelsFolder } from '@parlance/models'
import type { Logger } from '@parlance/telemetry'
import type { DetectionConfig } from './detection-config.js'
import { openProcessTurnDetector } from './process-turn-detector.js'
import type { TurnDetector } from './turn-detector.js'

/** All turn detectors of this process. */
export interface TurnDetectors {
  /** The first that knows the language of a BCP 47 tag; undefined when none does. */
  find(language: string): TurnDetector | undefined
  close(): Promise<void>
}

interface ModelOptions {
  readonly model: DetectorModel
  readonly logger: Logger
}

/** Loads a model of the kind `turn` in a process of its own. Rejects as `openProcessTurnDetector` does. */
export const openTurnDetector = ({ model, logger }: ModelOptions): Promise<TurnDetector> => {
  const program = fileURLToPath(import.meta.resolve('@parlance/engine-smart-turn/main'))
  return openProcessTurnDetector({
    name: `smart-turn/${model.name}`,
    languages: model.languages.length === 0 ? undefined : model.languages,
    command: [process.execPath, '--max-old-space-size=64', program, model.file],
    logger,
  })
}

const findModels = async (modelsDir: string, logger: Logger): Promise<DetectorModel[]> => {
  const folders = await readModelsFolder(modelsDir).catch((err: unknown) => {
    logger.error({ err }, 'The models that judge the end of a turn cannot be read')
    return []
  })
  return folders.flatMap((folder) => {
    if (folder.purpose !== 'detection') return []
    const { name, reading } = folder
    if ('model' in reading) return reading.model.kind === 'turn' ? [reading.model] : []
    logger.error({ folder: name, err: new Error(reading.problems.join('; ')) }, 'A model folder is refused')
    return []
  })
}

const knows = ({ languages }: TurnDetector, tag: string): boolean => {
  const [wanted] = tag.toLowerCase().split('-')
  return languages === undefined || languages.some((language) => language.toLowerCase().split('-')[0] === wanted)
}

/**
 * Loads the models of the kind `turn` in the configured folder. A model that cannot be loaded is logged, and the others are
 * used; without one, words and silence decide alone. Never rejects.
 */
export const openTurnDetectors = async (
  { ENDPOINTING_MODELS_DIR: modelsDir }: DetectionConfig,
  { logger }: { readonly logger: Logger },
): Promise<TurnDetectors> => {
  const detectors: TurnDetector[] = []
  for (const model of modelsDir === undefined ? [] : await findModels(modelsDir, logger)) {
    try {
      detectors.push(await openTurnDetector({ model, logger }))
      logger.info({ folder: model.name }, 'The end of turns is judged by the sound of the voice')
    } catch (err) {
      logger.error({ folder: model.name, err }, 'A model that judges the end of a turn cannot be loaded')
    }
  }
  return {
    find: (language) => detectors.find((detector) => knows(detector, language)),
    close: async () => void (await Promise.all(detectors.map((detector) => detector.close()))),
  }
}
