import { fileURLToPath } from 'node:url'
import { knowsLanguage } from '@parlance/contracts'
import { type DetectorModel, keepModelsOpen } from '@parlance/models'
import type { Logger } from '@parlance/telemetry'
import type { TurnDetector } from './turn-detector.js'
import { openProcessTurnDetector } from './turn-detector.js'

interface TurnDetectorsOptions {
  /** The folder of the installed models; undefined for none. */
  readonly modelsDir: string | undefined
  readonly logger: Logger
}

/** The process opens every kind of turn model: `engines/smart-turn/src/turn-detector.ts` lists them. */
const openModel = ({ name, languages, file }: DetectorModel, logger: Logger): Promise<TurnDetector> => {
  const program = fileURLToPath(import.meta.resolve('@parlance/engine-smart-turn/main'))
  return openProcessTurnDetector({
    modelName: name,
    languages: languages.length === 0 ? undefined : languages,
    command: [process.execPath, '--max-old-space-size=64', program, file],
    logger,
  })
}

/** The turn detectors of the models that are installed now. */
export type TurnDetectors = Awaited<ReturnType<typeof openTurnDetectors>>

/**
 * Keeps a detector for each turn model that is in the models folder now or later. A model that cannot be used is logged.
 * Without a model, only words and silence decide. Resolves when the models that exist now are loaded. Never rejects.
 */
export const openTurnDetectors = async ({ modelsDir, logger }: TurnDetectorsOptions) => {
  const detectors = new Map<string, TurnDetector>()
  const models =
    modelsDir === undefined
      ? undefined
      : keepModelsOpen({
          modelsDir,
          purpose: 'detection',
          async open({ model }, signal) {
            const detector = await openModel(model, logger)
            if (signal.aborted) {
              await detector.close()
              signal.throwIfAborted()
            }
            detectors.set(model.name, detector)
            logger.info({ engine: detector.name }, 'The end of turns is judged by the sound of the voice')
            return () => {
              detectors.delete(model.name)
              return detector.close()
            }
          },
          onRefused: (folder, err) => logger.error({ folder, err }, 'A model that detects turns cannot be used'),
          onUnreadable: (err) => logger.error({ folder: modelsDir, err }, 'The models folder cannot be read'),
        })
  await models?.started
  return {
    /** A detector for the language of a BCP 47 tag; undefined when there is none. */
    find: (language: string): TurnDetector | undefined =>
      [...detectors.values()].find(({ languages }) => knowsLanguage(languages, language)),
    close: async () => models?.stop(),
  }
}
