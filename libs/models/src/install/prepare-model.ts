import { rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Catalog, CatalogFile, CatalogModel } from '../catalog.js'
import { InstallError, writeFailure } from '../folder/install-error.js'
import { unpackArchive } from '../folder/unpack-archive.js'
import { settingsFileName } from '../folder-settings.js'
import { convertMoonshine } from '../import/convert-moonshine.js'
import { addEspeakData, findEspeakData } from '../import/espeak-data.js'
import { findModelsIn } from '../import/find-importable.js'
import { convertPiper, licenseOf, readPiperConfig } from '../import/piper.js'
import { ModelFileError } from '../model-file.js'
import type { FetchedFile, FetchOptions } from './fetch-catalog-file.js'

/** The license that is shown before a model is installed. */
export interface LicenseNotice {
  readonly model: string
  readonly license: string
  /** Where it is stated. */
  readonly source: string
  readonly lineage: string | null
}

/** Where and how a model is installed. */
export interface InstallOptions extends Omit<FetchOptions, 'downloads'> {
  readonly modelsDir: string
  /** Resolves to whether the license is accepted. */
  acceptLicense(notice: LicenseNotice): Promise<boolean>
  /** A folder of eSpeak NG's data. Default: the data that the models already share, else the system's, else a download. */
  readonly espeakData?: string | undefined
  /** Finds the data of eSpeak NG on this machine. Default: where systems keep it. */
  readonly findEspeakData?: typeof findEspeakData | undefined
  /** Whether to replace an installed model of the same name when the new one is complete. Default false. */
  readonly replace?: boolean | undefined
  /** How much memory a process may take. Default: no limit. */
  readonly memoryBytes?: number | undefined
  /** Measures the model in its folder, before it is installed. */
  readonly measure?: ((folder: string) => Promise<void>) | undefined
}

/** What is being installed, and how its files are fetched. */
export interface Installation {
  readonly model: CatalogModel
  readonly catalog: Catalog
  readonly options: InstallOptions
  /** Fetches a file and notes it for the record. */
  fetch(file: CatalogFile): Promise<FetchedFile>
}

/** A model whose files are on the disk and whose license was accepted. */
interface PreparedModel {
  readonly license: string
  /** Writes the model into an empty folder, in the form that is used. */
  fill(folder: string): Promise<void>
}

/** Rejects with `InstallError` unless the license is accepted. */
const requireLicense = async ({ options }: Installation, notice: LicenseNotice): Promise<void> => {
  if (await options.acceptLicense(notice)) return
  const { model, license } = notice
  throw new InstallError(
    'license_not_accepted',
    `${model} is not installed: its license (${license}) was not accepted. Use \`--accept-license\` to accept it.`,
  )
}

/** What is shown of a model's license. */
const noticeOf = ({ name, license: { source, lineage } }: CatalogModel, license: string): LicenseNotice => ({
  model: name,
  license,
  source,
  lineage,
})

/** Handles a failed file: returns undefined when the model works without it, and throws any other error. */
const withoutOptional =
  ({ optional }: CatalogFile) =>
  (error: unknown): undefined => {
    const isMissing = error instanceof InstallError && ['gone', 'refused', 'wrong_content'].includes(error.failure)
    if (optional === true && isMissing) return undefined
    throw error
  }

const fetchEspeakData = async (installation: Installation): Promise<string> => {
  const { catalog, options, fetch } = installation
  const find = options.findEspeakData ?? findEspeakData
  const found = await find(options.modelsDir, options.espeakData)
  if (found !== undefined) return found
  if (options.espeakData !== undefined) {
    throw new InstallError('unusable', `${options.espeakData} contains no data of eSpeak NG.`)
  }
  const { url, size_bytes, sha256, member, license, source } = catalog.espeak_data
  await requireLicense(installation, { model: 'espeak-ng-data', license, source, lineage: null })
  const archive = await fetch({ url, size_bytes, sha256, md5: null })
  const folder = `${archive.path}.unpacked`
  await unpackArchive(archive.path, folder, { isWanted: (path) => path.startsWith(`${member}/`) })
  return join(folder, member)
}

/**
 * Downloads an original Piper model. The small files come first, so that a model that cannot be used or whose license is
 * not accepted is refused before it is downloaded. Rejects with `InstallError`.
 */
export const preparePiper = async (installation: Installation): Promise<PreparedModel> => {
  const { model, options, fetch } = installation
  const fileOf = (isIt: (path: string) => boolean) => model.files.find(({ path }) => path !== undefined && isIt(path))
  const cardFile = fileOf((path) => path === 'MODEL_CARD')
  const configFile = fileOf((path) => path.endsWith('.onnx.json'))
  const modelFile = fileOf((path) => path.endsWith('.onnx'))
  if (configFile === undefined || modelFile === undefined) throw new Error(`${model.name} lacks files in the catalog`)

  const card = cardFile === undefined ? undefined : await fetch(cardFile).catch(withoutOptional(cardFile))
  const license = model.license.name ?? (await licenseOf(card?.path)) ?? 'not stated'
  await requireLicense(installation, noticeOf(model, license))
  const config = await fetch(configFile)
  const settings = await readPiperConfig(config.path, model.name).catch((error: unknown) => {
    if (!(error instanceof ModelFileError)) throw error
    throw new InstallError('unusable', `${model.name} cannot be used: ${error.message}.`, { cause: error })
  })
  const espeakData = await fetchEspeakData(installation)
  const weights = await fetch(modelFile)
  const source = {
    kind: 'piper' as const,
    name: model.name,
    model: weights.path,
    config: config.path,
    card: card?.path,
  }
  return {
    license,
    async fill(folder) {
      await convertPiper(source, settings, folder, license)
      await addEspeakData(options.modelsDir, folder, espeakData)
    },
  }
}

/** Downloads a model whose files are used unchanged or are in an archive. Rejects with `InstallError`. */
export const prepareReady = async (installation: Installation): Promise<PreparedModel> => {
  const { model, fetch } = installation
  const license = model.license.name ?? 'not stated'
  await requireLicense(installation, noticeOf(model, license))
  const fetched: Array<[CatalogFile, FetchedFile]> = []
  for (const file of model.files) {
    const result = await fetch(file).catch(withoutOptional(file))
    if (result !== undefined) fetched.push([file, result])
  }
  return {
    license,
    async fill(folder) {
      for (const [{ path }, { path: downloaded }] of fetched) {
        if (path !== undefined) await rename(downloaded, join(folder, path))
        else await moveArchiveInto(downloaded, folder)
      }
      await writeSettings(folder, settingsOf(model, license))
    },
  }
}

/** The `parlance.json` of a model: facts from the catalog that are not in its files. */
const settingsOf = ({ format, kind, display_name, languages, quality }: CatalogModel, license: string): object => {
  const known = languages.length === 0 ? {} : { languages }
  if (format === 'onnx') return { kind, display_name, ...known, license }
  return kind === 'stt' ? { ...known, license, ...(quality === undefined ? {} : { quality }) } : { license }
}

/** Moves the model of an archive into the empty folder. A model in its publisher's form is converted. */
const moveArchiveInto = async (archive: string, folder: string): Promise<void> => {
  const unpacked = `${archive}.unpacked`
  await rm(unpacked, { recursive: true, force: true })
  await unpackArchive(archive, unpacked)
  const found = (await findModelsIn(unpacked)).sources.find((source) => 'folder' in source)
  if (found === undefined) throw new InstallError('bad_archive', `${basename(unpacked)} contains no model.`)
  if (found.kind === 'moonshine') return convertMoonshine(found.folder, folder)
  // A rename can replace the staging folder, since it is empty.
  await rename(found.folder, folder).catch((error: unknown) => {
    throw writeFailure(error, folder)
  })
}

/** Writes `parlance.json`, unless the publisher has provided one. */
const writeSettings = async (folder: string, settings: object): Promise<void> => {
  const text = `${JSON.stringify(settings, null, 2)}\n`
  await writeFile(join(folder, settingsFileName), text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw writeFailure(error, folder)
  })
}
