import { orAborted } from '@parlance/async'
import { type ModelMeasurement, measureAndRecord, measureModel, measureSpeechModel } from '@parlance/engine-sherpa-onnx'
import { type TurnTrial, tryTurnModel } from '@parlance/engine-smart-turn'
import { describeModelFailure, type FoundFolder, readModelsFolder } from '@parlance/models'
import {
  type Catalog,
  type CatalogModel,
  findChangedFiles,
  type ImportedModel,
  type ImportOptions,
  type InstalledModel,
  type InstallOptions,
  type InstallRecord,
  importModels,
  installModel,
  machineMemoryBytes,
  readCatalog,
  readInstallRecord,
  removeModel,
} from '@parlance/models/install'
import { StartupError } from '@parlance/runtime'

/** The functions that commands about models call. */
export interface ModelTools {
  /** Rejects with `StartupError` when the folder cannot be read. */
  findModels(modelsDir: string): Promise<readonly FoundFolder[]>
  /**
   * Loads a model in a separate process, and lets it speak or recognize speech. Without `threads`, finds the number of threads
   * with which a model speaks best, and stores its speed in the folder.
   */
  measureModel(folder: string, threads: number | undefined): Promise<ModelMeasurement>
  /** Loads a turn detector in a separate process, and lets it judge a turn. */
  tryTurnModel(file: string): Promise<TurnTrial | { readonly problems: readonly string[] }>
  /** Records the speed of a model that is being installed, if it speaks. */
  measureSpeechModel(folder: string): Promise<void>
  readRecord(folder: string): Promise<InstallRecord | undefined>
  /** Why a process could not open the model; undefined when no process failed. */
  describeFailure(folder: string): Promise<string | undefined>
  findChangedFiles(folder: string, record: InstallRecord): Promise<readonly string[]>
  readCatalog(): Promise<Catalog>
  /** These three reject with `InstallError`. */
  install(model: CatalogModel, catalog: Catalog, options: InstallOptions): Promise<InstalledModel>
  importModels(path: string, options: ImportOptions): Promise<readonly ImportedModel[]>
  remove(modelsDir: string, name: string): Promise<void>
}

/** Enough for a large model on a slow disk. */
const trialTimeoutMs = 300_000

const whyUnreadable: Readonly<Record<string, string>> = {
  ENOENT: 'There is no folder',
  ENOTDIR: 'Not a folder:',
  EACCES: 'Not allowed to read the folder',
}

/** The first model creates the folder of the installation, so it may not exist. */
const findModels = async (modelsDir: string, ownModelsDir: string): Promise<readonly FoundFolder[]> => {
  try {
    return await readModelsFolder(modelsDir)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (code === 'ENOENT' && modelsDir === ownModelsDir) return []
    const reason = whyUnreadable[code]
    if (reason === undefined) throw error
    throw new StartupError([`${reason} ${modelsDir}: name the folder of the models with --models-dir.`], {
      cause: error,
    })
  }
}

/**
 * The tools on this machine's disk and network; `ownModelsDir` is the models folder of the installation. Everything ends when
 * `signal` is aborted.
 */
export const createModelTools = (ownModelsDir: string, signal: AbortSignal): ModelTools => {
  const options = { timeoutMs: trialTimeoutMs, signal }
  return {
    findModels: (modelsDir) => findModels(modelsDir, ownModelsDir),
    measureModel: (folder, threads) =>
      orAborted(
        threads === undefined ? measureAndRecord(folder, options) : measureModel(folder, { ...options, threads }),
        signal,
      ),
    tryTurnModel: (file) => orAborted(tryTurnModel(file, options), signal),
    measureSpeechModel: (folder) => orAborted(measureSpeechModel(folder, options), signal),
    readRecord: readInstallRecord,
    describeFailure: describeModelFailure,
    findChangedFiles,
    readCatalog: () => readCatalog(),
    install: (model, catalog, installOptions) =>
      installModel(model, catalog, { ...installOptions, signal, memoryBytes: machineMemoryBytes() }),
    importModels,
    remove: removeModel,
  }
}
