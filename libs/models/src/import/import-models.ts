import { cp, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { InstallError, writeFailure } from '../folder/install-error.js'
import { writeInstallRecord } from '../folder/install-record.js'
import { checkFolder, publishFolder } from '../folder/publish-folder.js'
import { isArchiveName, unpackArchive } from '../folder/unpack-archive.js'
import { unknownLicense } from '../folder-settings.js'
import { ModelFileError } from '../model-file.js'
import { readOnnxMetadata } from '../onnx/onnx-metadata.js'
import { convertDetector } from './convert-detector.js'
import { convertMoonshine } from './convert-moonshine.js'
import { addEspeakData, findEspeakData } from './espeak-data.js'
import {
  type DetectorSource,
  type FoundSources,
  findModelOf,
  findModelsIn,
  type MoonshineSource,
  type PiperSource,
  type ReadySource,
} from './find-importable.js'
import { convertKokoro, type KokoroContent, type KokoroSource, readKokoroContent } from './kokoro.js'
import { convertPiper, licenseOf, type PiperConfig, readPiperConfig } from './piper.js'

export interface ImportOptions {
  readonly modelsDir: string
  /** The name of the model's folder, for a path with one model. Default: the name of its file or folder. */
  readonly name?: string | undefined
  /** A folder with the data of eSpeak NG. Default: the data that the models already share, else the system's. */
  readonly espeakData?: string | undefined
  /** Measures a model in its folder, before it is installed. */
  readonly measure?: ((folder: string) => Promise<void>) | undefined
}

export interface ImportedModel {
  readonly name: string
  readonly folder: string
}

/** Lists everything that is missing, and how to fix it. */
const refuse = (path: string, problems: readonly string[], advice: readonly string[]): InstallError => {
  const again = `Then run \`parlance models import ${path}\` again.`
  return new InstallError('unusable', `${path} cannot be imported.`, {
    lines: [`${path} cannot be imported:`, ...problems.map((problem) => `  ${problem}.`), ...advice, again],
  })
}

const espeakAdvice =
  "The data of eSpeak NG is Debian's package espeak-ng-data (`apt-get install espeak-ng-data`); a folder of it elsewhere is named with `--espeak-data`."
const missingFileAdvice = 'Put the missing files beside their model; they are published together.'

interface CheckedPiper extends PiperSource {
  readonly settings: PiperConfig
}

interface CheckedKokoro extends KokoroSource {
  readonly content: KokoroContent
}

type CheckedSource = CheckedPiper | CheckedKokoro | ReadySource | MoonshineSource | DetectorSource

/** Whether the model's texts become phonemes by the data of eSpeak NG, which `import` adds. */
const needsEspeakData = ({ kind }: Pick<CheckedSource, 'kind'>) => kind === 'piper' || kind === 'kokoro'

/** Rejects with `ModelFileError`. */
const checkSource = async (source: FoundSources['sources'][number]): Promise<CheckedSource> => {
  if (source.kind !== 'piper' && source.kind !== 'kokoro') return source
  await readOnnxMetadata(source.model)
  return source.kind === 'piper'
    ? { ...source, settings: await readPiperConfig(source.config, source.name) }
    : { ...source, content: await readKokoroContent(source) }
}

/** Reads everything that the conversion of all models needs, before anything is written. */
const checkSources = async (path: string, found: FoundSources, options: ImportOptions) => {
  const problems = [...found.problems]
  const advice = found.problems.length > 0 ? [missingFileAdvice] : []
  const checked: CheckedSource[] = []
  for (const source of found.sources) {
    try {
      checked.push(await checkSource(source))
    } catch (error) {
      if (!(error instanceof ModelFileError)) throw error
      problems.push(error.message)
    }
  }
  const espeakData = await findEspeakData(options.modelsDir, options.espeakData)
  if (espeakData === undefined && (found.sources.some(needsEspeakData) || problems.length > 0)) {
    problems.push(`espeak-ng-data is missing${options.espeakData === undefined ? '' : ` in ${options.espeakData}`}`)
    advice.push(espeakAdvice)
  }
  if (problems.length > 0) throw refuse(path, problems, advice)
  return { checked, espeakData }
}

const refuseUnusable = (error: unknown): never => {
  if (!(error instanceof ModelFileError)) throw error
  throw new InstallError('unusable', `${error.message}.`, { cause: error })
}

/** Writes a model into `staging` in the form that is used, and resolves with its license. */
const writeSource = async (source: CheckedSource, staging: string): Promise<string> => {
  switch (source.kind) {
    case 'piper': {
      const license = await licenseOf(source.card)
      await convertPiper(source, source.settings, staging, license)
      return license ?? unknownLicense
    }
    case 'kokoro':
      await convertKokoro(source, source.content, staging)
      return source.content.settings.license ?? unknownLicense
    case 'detector':
      return (await convertDetector(source, staging)) ?? unknownLicense
    case 'moonshine':
      await convertMoonshine(source.folder, staging).catch(refuseUnusable)
      return unknownLicense
    case 'ready':
      await cp(source.folder, staging, { recursive: true, dereference: true }).catch((error: unknown) => {
        throw writeFailure(error, staging)
      })
      return unknownLicense
  }
}

const importSource = async (
  source: CheckedSource,
  {
    modelsDir,
    name,
    espeakData,
    isOnly,
    measure,
  }: Pick<ImportOptions, 'modelsDir' | 'measure'> & { name: string; espeakData: string | undefined; isOnly: boolean },
): Promise<ImportedModel> => {
  const origin = 'model' in source ? dirname(source.model) : source.folder
  // The original files may be in the destination folder, where the converted ones then replace them.
  const replace = isOnly && resolve(origin) === resolve(modelsDir, name)
  const folder = await publishFolder({ modelsDir, name, replace }, async (staging) => {
    const license = await writeSource(source, staging)
    if (needsEspeakData(source)) await addEspeakData(modelsDir, staging, espeakData!)
    await checkFolder(staging, name)
    await writeInstallRecord(staging, { catalogName: null, license, files: [] })
    await measure?.(staging)
  })
  return { name, folder }
}

const findSources = async (path: string, isFolder: boolean): Promise<FoundSources> => {
  if (isFolder) return findModelsIn(path)
  if (/\.onnx(\.json)?$/.test(path)) return findModelOf(path)
  throw new InstallError('unusable', `${path} is neither a folder, an archive nor an .onnx file.`)
}

const importFound = async (path: string, found: FoundSources, options: ImportOptions): Promise<ImportedModel[]> => {
  if (found.sources.length === 0 && found.problems.length === 0) {
    throw new InstallError('unusable', `${path} contains no model: it has no .onnx file.`)
  }
  const { checked, espeakData } = await checkSources(path, found, options)
  if (options.name !== undefined && checked.length > 1) {
    throw new InstallError(
      'unusable',
      `${path} contains ${checked.length} models, which cannot all be named ${options.name}.`,
    )
  }
  const imported: ImportedModel[] = []
  for (const source of checked) {
    const name = options.name ?? source.name
    const isOnly = checked.length === 1
    const { modelsDir, measure } = options
    imported.push(await importSource(source, { modelsDir, name, espeakData, isOnly, measure }))
  }
  return imported
}

/**
 * Imports models from the disk into `modelsDir`: from a folder with one or more models, from an archive of such a folder, or
 * from an `.onnx` file with its other files beside it. Original Piper models are converted. Rejects with `InstallError`.
 */
export const importModels = async (path: string, options: ImportOptions): Promise<ImportedModel[]> => {
  const status = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'There is no file or folder' : `${error.code}:`
    throw new InstallError('unusable', `${reason} ${path}.`, { cause: error })
  })
  if (status.isDirectory() || !isArchiveName(path)) {
    return importFound(path, await findSources(path, status.isDirectory()), options)
  }
  const { modelsDir } = options
  const prefix = join(modelsDir, '.unpacked-')
  const unpacked = await mkdir(modelsDir, { recursive: true })
    .then(() => mkdtemp(prefix))
    .catch((error: unknown) => {
      throw writeFailure(error, modelsDir)
    })
  try {
    await unpackArchive(path, unpacked)
    return await importFound(path, await findModelsIn(unpacked), options)
  } finally {
    await rm(unpacked, { recursive: true, force: true })
  }
}
