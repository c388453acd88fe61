/** Lists, installs and removes the models of this installation while the services run. */
import { draining, type InstallEvent, type InstalledModel, ServiceError } from '@parlance/contracts'
import { measureSpeechModel } from '@parlance/engine-sherpa-onnx'
import { describeModelFailure, type FoundFolder, readModelsFolder } from '@parlance/models'
import {
  type Catalog,
  InstallError,
  type InstallFailure,
  installModel,
  machineMemoryBytes,
  readCatalog,
  removeModel,
} from '@parlance/models/install'
import type { Logger } from '@parlance/telemetry'

/** Called as the bytes of a file arrive. `totalBytes` is undefined when it is not known. */
type OnProgress = (file: string, receivedBytes: number, totalBytes: number | undefined) => void

const intervalMs = 200

/** Calls `onProgress` at the beginning and the end of each file, and a few times a second between them. */
const limitProgress = (onProgress: OnProgress): OnProgress => {
  let current: string | undefined
  let calledAtMs = 0
  return (file, receivedBytes, totalBytes) => {
    const isDue = file !== current || receivedBytes === totalBytes || performance.now() - calledAtMs >= intervalMs
    if (!isDue) return
    current = file
    calledAtMs = performance.now()
    onProgress(file, receivedBytes, totalBytes)
  }
}

/** Creates the installer at its first call; later calls return the same one. */
export type OpenModelInstaller = (logger: Logger) => ModelInstaller

interface ModelInstallerOptions {
  readonly modelsDir: string
  /** A URL under which the files of the catalog are instead, each by the last segment of its own URL. */
  readonly mirror?: string | undefined
  readonly logger: Logger
  /** Default: the catalog that comes with Parlance. */
  readonly readCatalog?: () => Promise<Catalog>
  /** Measures a model in its folder before it is put in place. Default: lets it speak in a process of its own. */
  readonly measure?: (folder: string, signal: AbortSignal) => Promise<void>
}

/** Long enough for a big model on a slow disk. */
const measureTimeoutMs = 300_000

const measureSpeed = (folder: string, signal: AbortSignal): Promise<void> =>
  measureSpeechModel(folder, { timeoutMs: measureTimeoutMs, signal })

const kindOf = ({ purpose, reading }: FoundFolder): InstalledModel['kind'] => {
  if ('problems' in reading) return null
  if (purpose === 'detection') return reading.model.kind
  return purpose === 'speech' ? 'tts' : 'stt'
}

const listModel = async (folder: FoundFolder): Promise<InstalledModel> => {
  const { name, path, reading } = folder
  const failure = await describeModelFailure(path)
  const model = 'model' in reading ? reading.model : undefined
  return {
    name,
    kind: kindOf(folder),
    display_name: model?.displayName ?? null,
    languages: [...(model?.languages ?? [])],
    license: model?.license ?? null,
    size_bytes: model?.sizeBytes ?? null,
    problems: [...('problems' in reading ? reading.problems : []), ...(failure === undefined ? [] : [failure])],
  }
}

const codeOf: Readonly<Record<InstallFailure, 'invalid_request' | 'not_found' | 'unavailable' | 'upstream_error'>> = {
  gone: 'upstream_error',
  refused: 'upstream_error',
  unreachable: 'upstream_error',
  wrong_content: 'upstream_error',
  bad_archive: 'upstream_error',
  disk_full: 'unavailable',
  not_writable: 'unavailable',
  not_enough_memory: 'unavailable',
  unusable: 'invalid_request',
  exists: 'invalid_request',
  license_not_accepted: 'invalid_request',
  not_installed: 'not_found',
}

const asServiceError = (error: unknown): unknown =>
  error instanceof InstallError ? new ServiceError(codeOf[error.failure], error.message) : error

/** Installs, lists and removes models. All reject with `ServiceError`. */
export const createModelInstaller = (options: ModelInstallerOptions) => {
  const { modelsDir, mirror, logger, readCatalog: read = readCatalog, measure = measureSpeed } = options
  const installing = new Set<string>()
  const stopping = new AbortController()

  const install: ModelInstaller['install'] = async (name, onEvent, hungUp) => {
    const signal = AbortSignal.any([hungUp, stopping.signal])
    const catalog = await read()
    const model = catalog.models.find((one) => one.name === name)
    if (model === undefined) throw new ServiceError('not_found', `There is no model ${name} in the catalog.`)
    /** A card that states the license is downloaded before the license is accepted. This is not reported. */
    let isAccepted = false
    const installed = await installModel(model, catalog, {
      modelsDir,
      mirror,
      memoryBytes: machineMemoryBytes(),
      signal,
      async acceptLicense(notice) {
        isAccepted = true
        onEvent({ event: 'license', ...notice })
        return true
      },
      async measure(folder) {
        onEvent({ event: 'measuring', model: name })
        await measure(folder, signal)
        signal.throwIfAborted()
      },
      onProgress: limitProgress((file, receivedBytes, totalBytes) => {
        if (!isAccepted) return
        onEvent({ event: 'progress', file, received_bytes: receivedBytes, total_bytes: totalBytes ?? null })
      }),
    })
    const { license, sizeBytes } = installed
    logger.info({ folder: name, bytes: sizeBytes }, 'A model has been installed')
    onEvent({ event: 'installed', name, license, size_bytes: sizeBytes })
  }

  return {
    readCatalog: read,
    async list(): Promise<readonly InstalledModel[]> {
      // The folder is made by the first installation.
      const folders = await readModelsFolder(modelsDir).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw new ServiceError('unavailable', `The models folder cannot be read (${error.code}).`, { cause: error })
      })
      return Promise.all(folders.map(listModel))
    },
    /** Installs a model of the catalog, whose license the user has accepted. Resolves when the model is in its folder. */
    async install(name: string, onEvent: (event: InstallEvent) => void, signal: AbortSignal): Promise<void> {
      if (installing.has(name)) {
        throw new ServiceError('concurrency_limited', `${name} is being installed already.`)
      }
      installing.add(name)
      try {
        await install(name, onEvent, signal)
      } catch (error) {
        if (stopping.signal.aborted) throw draining()
        throw asServiceError(error)
      } finally {
        installing.delete(name)
      }
    },
    async remove(name: string): Promise<void> {
      await removeModel(modelsDir, name).catch((error: unknown) => {
        throw asServiceError(error)
      })
      logger.info({ folder: name }, 'A model has been removed')
    },
    /** Stops the installations in progress. Downloaded files stay for the next ones. */
    stop: (): void => stopping.abort(),
  }
}

export type ModelInstaller = ReturnType<typeof createModelInstaller>
