/**
 * Local neural models through sherpa-onnx: an engine for each folder of the models folder.
 *
 * - The models are known when this resolves. They are loaded after that, one after the other; each engine becomes healthy when
 *   its model is loaded.
 * - An invalid folder is ignored, and a model that cannot be loaded stays unhealthy; the others speak.
 */
import { availableParallelism, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { creditSchema, type OfferedVoice, slowVoiceTag } from '@parlance/contracts'
import type { EngineVoice } from '@parlance/engine/protocol'
import type { EngineArguments } from '@parlance/engine-sherpa-onnx'
import { isSlow, modelEngineName, modelVoices, readModelsFolder, type SpeechModel } from '@parlance/models'
import type { Logger } from '@parlance/telemetry'
import { z } from 'zod'
import type { EngineContext, OpenEngines } from './engine.js'
import { offeredVoice } from './offered-voice.js'
import { createOpeningEngine, type OpeningEngine } from './opening-engine.js'
import { openProcessEngine } from './process-engine.js'

const maxProcesses = 16

export const sherpaOnnxEngineConfig = z.strictObject({
  type: z.literal('sherpa-onnx'),
  /** A folder that contains a folder for each model. */
  models_dir: z.string().min(1),
  /** The number of threads of a process. Default: as measured when the model was installed, else 1. */
  threads: z.int().min(1).max(64).optional(),
  /**
   * Processes for each model. Each has the model in memory and speaks one utterance at a time. Default: as many as there are
   * cores and memory for.
   */
  processes: z.int().min(1).max(maxProcesses).optional(),
  /** How long a process may take to answer a cancel before it is replaced and the model loaded again, in ms. */
  cancel_timeout_ms: z.int().min(10).max(60_000).default(2000),
  /** For models whose folder has no price. */
  credit_per_1k_characters: creditSchema.default('0.030'),
})
type Config = z.output<typeof sherpaOnnxEngineConfig>

/** Enough for a large model on a busy machine with a slow disk. */
const startTimeoutMs = 180_000
/** A model sends nothing until a sentence is complete: enough for 20 s of audio at a tenth of real time. */
const jobSilenceTimeoutMs = 200_000

/** The library leaks some kilobytes with every text that it reads by the data of eSpeak NG. */
const utterancesPerProcess = 5_000

/**
 * The runtime keeps the memory of the largest pieces that it has computed at the same time: of a model of 60 MB 390 MB, and
 * 650 MB when a cancelled piece ends beside the next one.
 */
const maxResidentBytes = ({ sizeBytes }: Pick<SpeechModel, 'sizeBytes'>) => 400e6 + 4 * sizeBytes

/** Of the memory of the machine or the container, for the processes of one model. */
const memoryShare = 1 / 4

/** A model and its folder. */
export interface FoundModel {
  readonly model: SpeechModel
  readonly path: string
}

const findModels = async (dir: string, log: Logger): Promise<FoundModel[]> => {
  const folders = await readModelsFolder(dir).catch((cause: unknown) => {
    throw new Error(`the models folder ${dir} cannot be read`, { cause })
  })
  const found: FoundModel[] = []
  for (const { name, path, purpose, reading } of folders) {
    if (purpose !== 'speech') continue
    if ('model' in reading) found.push({ model: reading.model, path })
    else log.error({ folder: name, err: new Error(reading.problems.join('; ')) }, 'A model folder is refused')
  }
  if (found.length === 0) log.warn({ folder: dir }, 'There is no model in the models folder')
  return found
}

/** The models report no phonemes, and so no visemes. */
const offered = (voice: EngineVoice, model: SpeechModel): OfferedVoice => {
  const { variants, tags, ...rest } = offeredVoice(voice)
  return {
    ...rest,
    tags: isSlow(model.speed) ? [...tags, slowVoiceTag] : tags,
    variants: variants.map((variant) => ({ ...variant, alignment: ['word'] })),
  }
}

const threadsFor = ({ speed }: SpeechModel, { threads }: Config): number => threads ?? speed?.threads ?? 1

/** How many processes of a model a machine has cores and memory for, at least one. */
export const processesFor = (
  model: Pick<SpeechModel, 'sizeBytes'>,
  threads: number,
  { cores, memoryBytes }: { readonly cores: number; readonly memoryBytes: number },
): number => {
  const byMemory = Math.floor((memoryShare * memoryBytes) / maxResidentBytes(model))
  return Math.max(1, Math.min(Math.floor(cores / threads), byMemory, maxProcesses))
}

const thisMachine = () => ({
  cores: availableParallelism(),
  memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
})

/** For operators: how the model is run, and how fast it was when it was measured. */
const infoOf = (model: SpeechModel, config: Config): Record<string, string> => ({
  implementation: 'sherpa-onnx',
  model: model.name,
  kind: model.kind,
  threads: String(threadsFor(model, config)),
  ...(model.speed === undefined ? {} : { times_real_time: model.speed.times_real_time.toFixed(1) }),
  ...(isSlow(model.speed) ? { slow: 'true' } : {}),
})

/** Loads one model after the other, since two at once would take twice as long, and logs each. */
const loadInTurn = async (
  models: readonly FoundModel[],
  engines: readonly OpeningEngine[],
  log: Logger,
): Promise<void> => {
  for (const [index, { model }] of models.entries()) {
    const { engine, open } = engines[index]!
    const which = {
      folder: model.name,
      position: index + 1,
      count: models.length,
      bytes: model.sizeBytes,
    }
    const startedMs = performance.now()
    log.info(which, 'A speech model is being loaded')
    try {
      const isOpen = await open()
      if (engine.healthy()) {
        log.info({ ...which, durationMs: Math.round(performance.now() - startedMs) }, 'A speech model has been loaded')
      } else if (isOpen) log.error(which, 'A speech model cannot be loaded')
    } catch (error) {
      log.error({ ...which, err: error }, 'A speech model cannot be loaded')
    }
  }
}

/**
 * The engine of a model, not open yet; `entry` is what its name begins with. With `mustStart` its opening rejects when the first
 * process does not start; otherwise the engine is unhealthy until a process does.
 */
export const createModelEngine = (
  entry: string,
  config: Config,
  { model, path }: FoundModel,
  { logger, onReplace }: Pick<EngineContext, 'logger' | 'onReplace'>,
  { mustStart = false } = {},
): OpeningEngine => {
  const program = fileURLToPath(import.meta.resolve('@parlance/engine-sherpa-onnx/main'))
  const name = modelEngineName(entry, model.name)
  const threads = threadsFor(model, config)
  const capacity = config.processes ?? processesFor(model, threads, thisMachine())
  const engineArguments: EngineArguments = {
    engine: name,
    folder: path,
    threads,
    creditPer1kCharacters: config.credit_per_1k_characters,
  }
  return createOpeningEngine(
    {
      name,
      info: infoOf(model, config),
      synthesis: 'neural',
      isPiecewise: true,
      sampleRateHz: model.sampleRateHz,
      voices: modelVoices(name, model, config.credit_per_1k_characters).map(({ voice }) => offered(voice, model)),
      capacity,
    },
    (signal) =>
      openProcessEngine({
        name,
        synthesis: 'neural',
        logger,
        command: [process.execPath, program, JSON.stringify(engineArguments)],
        processes: capacity,
        startTimeoutMs,
        jobSilenceTimeoutMs,
        cancelTimeoutMs: config.cancel_timeout_ms,
        utterancesPerProcess,
        maxResidentBytes: maxResidentBytes(model),
        mustStart,
        signal,
        onReplace: () => onReplace(name),
      }),
  )
}

export const openSherpaOnnxEngines: OpenEngines<Config> = async (name, config, context) => {
  const models = await findModels(config.models_dir, context.logger)
  const engines = models.map((found) => createModelEngine(name, config, found, context))
  void loadInTurn(models, engines, context.logger)
  return engines.map(({ engine }) => engine)
}
