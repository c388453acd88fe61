import { orAborted } from '@parlance/async'
import { type ModelMeasurement, measureAndRecord, measureModel, measureSpeechModel } from '@parlance/engine-sherpa-onnx'
import { type TurnTrial, tryTurnModel } from '@parlance/engine-smart-turn'
import { describeModelFailure, type FoundFolder, readModelsFolder } from '@parlance/models'
import {
  type Catalog,
  type CatalogModel,
  findChangedFiles,
  type InstalledModel,
  type InstallOptions,
  importModels,
  installModel,
  machineMemoryBytes,
  readCatalog,
  readInstallRecord,
  removeModel,
} from '@parlance/models/install'
import { StartupError } from '@parlance/runtime'

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
 * The functions that commands about models call, on this machine's disk and network. `ownModelsDir` is the models folder of
 * the installation. Everything ends when `signal` is aborted.
 */
export const createModelTools = (ownModelsDir: string, signal: AbortSignal) => {
  const options = { timeoutMs: trialTimeoutMs, signal }
  return {
    /** Rejects with `StartupError` when the folder cannot be read. */
    findModels: (modelsDir: string): Promise<readonly FoundFolder[]> => findModels(modelsDir, ownModelsDir),
    /**
     * Loads a model in a separate process, and lets it speak or recognize speech. Without `threads`, finds the number of threads
     * with which a model speaks best, and stores its speed in the folder.
     */
    measureModel: (folder: string, threads: number | undefined): Promise<ModelMeasurement> =>
      orAborted(
        threads === undefined ? measureAndRecord(folder, options) : measureModel(folder, { ...options, threads }),
        signal,
      ),
    /** Loads a turn detector in a separate process, and lets it judge a turn. */
    tryTurnModel: (file: string): Promise<TurnTrial | { readonly problems: readonly string[] }> =>
      orAborted(tryTurnModel(file, options), signal),
    /** Records the speed of a model that is being installed, if it speaks. */
    measureSpeechModel: (folder: string): Promise<void> => orAborted(measureSpeechModel(folder, options), signal),
    readRecord: readInstallRecord,
    /** Why a process could not open the model; undefined when no process failed. */
    describeFailure: describeModelFailure,
    findChangedFiles,
    readCatalog: (): Promise<Catalog> => readCatalog(),
    /** These three reject with `InstallError`. */
    install: (model: CatalogModel, catalog: Catalog, installOptions: InstallOptions): Promise<InstalledModel> =>
      installModel(model, catalog, { ...installOptions, signal, memoryBytes: machineMemoryBytes() }),
    importModels,
    remove: removeModel,
  }
}

export type ModelTools = ReturnType<typeof createModelTools>
