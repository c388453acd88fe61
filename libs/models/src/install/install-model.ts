import { rename, rm, statfs, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Catalogue, CatalogueFile, CatalogueModel } from '../catalogue/catalogue-schema.js'
import { sizeOfModel } from '../catalogue/catalogue-schema.js'
import { settingsFileName } from '../folder-settings.js'
import { convertMoonshine } from '../import/convert-moonshine.js'
import { convertPiper, licenseOf } from '../import/convert-piper.js'
import { addEspeakData, findEspeakData } from '../import/espeak-data.js'
import { findModelsIn } from '../import/find-importable.js'
import { checkFolder } from '../import/import-models.js'
import { readPiperConfig } from '../import/piper-config.js'
import { ModelFileError } from '../model-file.js'
import { type FetchedFile, type FetchOptions, fetchCatalogueFile } from './fetch-catalogue-file.js'
import { InstallError, writeFailure } from './install-error.js'
import { type DownloadedFile, writeInstallRecord } from './install-record.js'
import { pinDigests, readPinnedDigests } from './pinned-digests.js'
import { checkAbsent, publishFolder } from './publish-folder.js'
import { unpackArchive } from './unpack-archive.js'

/** What is shown before a model is installed. */
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
  /** Resolves to whether the licence is accepted. */
  acceptLicense(notice: LicenseNotice): Promise<boolean>
  /** A folder of eSpeak NG's data. Default: what the models share already, else the system's, else it is downloaded. */
  readonly espeakData?: string | undefined
  /** Finds the data of eSpeak NG on this machine. Default: where systems keep it. */
  readonly findEspeakData?: typeof findEspeakData | undefined
  /** An installed model of the same name goes when the new one is complete. Default false. */
  readonly replace?: boolean | undefined
  /** How much memory a process may take. Default: no limit. */
  readonly memoryBytes?: number | undefined
  /** Measures the model in its folder, before it is installed. */
  readonly measure?: ((folder: string) => Promise<void>) | undefined
}

export interface InstalledModel {
  readonly name: string
  readonly folder: string
  readonly license: string
  readonly files: readonly DownloadedFile[]
  /** Of all `files`. */
  readonly sizeBytes: number
}

const downloadsName = '.downloads'
const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`

const checkMemory = ({ name, memory_bytes }: CatalogueModel, memoryBytes: number | undefined): void => {
  if (memory_bytes === null || memoryBytes === undefined || memory_bytes <= memoryBytes) return
  const have = `this machine allows ${megabytes(memoryBytes)}`
  throw new InstallError('not_enough_memory', `${name} takes about ${megabytes(memory_bytes)} of memory, and ${have}.`)
}

/** The space on the disk of a folder, or of the nearest folder above it that exists. */
const freeBytesOf = async (folder: string): Promise<number | undefined> => {
  const disk = await statfs(folder).catch(() => undefined)
  if (disk !== undefined) return disk.bavail * disk.bsize
  const parent = dirname(folder)
  return parent === folder ? undefined : freeBytesOf(parent)
}

/** The downloads and the installed model are on the disk at the same time. */
const checkFreeSpace = async (model: CatalogueModel, modelsDir: string): Promise<void> => {
  const size = sizeOfModel(model)
  const freeBytes = await freeBytesOf(resolve(modelsDir))
  if (size === null || freeBytes === undefined || freeBytes >= 2 * size) return
  const need = `${model.name} needs ${megabytes(2 * size)} on the disk of ${modelsDir}`
  throw new InstallError('disk_full', `The disk is too full: ${need}, and ${megabytes(freeBytes)} are free.`)
}

/** What is being installed, and how its files are fetched. */
interface Installation {
  readonly model: CatalogueModel
  readonly catalogue: Catalogue
  readonly options: InstallOptions
  /** Fetches a file and notes it for the record. */
  fetch(file: CatalogueFile): Promise<FetchedFile>
}

const requireLicense = async ({ options }: Installation, notice: LicenseNotice): Promise<void> => {
  if (await options.acceptLicense(notice)) return
  const { model, license } = notice
  throw new InstallError(
    'license_not_accepted',
    `${model} is not installed: its licence (${license}) was not accepted. \`--accept-license\` accepts it.`,
  )
}

const noticeOf = ({ name, license: { source, lineage } }: CatalogueModel, license: string): LicenseNotice => ({
  model: name,
  license,
  source,
  lineage,
})

const fetchEspeakData = async (installation: Installation): Promise<string> => {
  const { catalogue, options, fetch } = installation
  const find = options.findEspeakData ?? findEspeakData
  const found = await find(options.modelsDir, options.espeakData)
  if (found !== undefined) return found
  if (options.espeakData !== undefined) {
    throw new InstallError('unusable', `There is no data of eSpeak NG in ${options.espeakData}.`)
  }
  const { url, size_bytes, sha256, member, license, source } = catalogue.espeak_data
  await requireLicense(installation, { model: 'espeak-ng-data', license, source, lineage: null })
  const archive = await fetch({ url, size_bytes, sha256, md5: null })
  const folder = `${archive.path}.unpacked`
  await unpackArchive(archive.path, folder, { isWanted: (path) => path.startsWith(`${member}/`) })
  return join(folder, member)
}

/** The small files come first: a model that cannot be used or accepted is refused before it is downloaded. */
const installPiper = async (installation: Installation): Promise<[string, (folder: string) => Promise<void>]> => {
  const { model, options, fetch } = installation
  const fileOf = (isIt: (path: string) => boolean) => model.files.find(({ path }) => path !== undefined && isIt(path))
  const cardFile = fileOf((path) => path === 'MODEL_CARD')
  const configFile = fileOf((path) => path.endsWith('.onnx.json'))
  const modelFile = fileOf((path) => path.endsWith('.onnx'))
  if (configFile === undefined || modelFile === undefined) throw new Error(`${model.name} lacks files in the catalogue`)

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
  return [
    license,
    async (folder) => {
      await convertPiper(source, settings, folder, { license })
      await addEspeakData(options.modelsDir, folder, espeakData)
    },
  ]
}

const withoutOptional =
  ({ optional }: CatalogueFile) =>
  (error: unknown): undefined => {
    const isMissing = error instanceof InstallError && ['gone', 'refused', 'wrong_content'].includes(error.failure)
    if (optional === true && isMissing) return undefined
    throw error
  }

const installReady = async (installation: Installation): Promise<[string, (folder: string) => Promise<void>]> => {
  const { model, fetch } = installation
  const license = model.license.name ?? 'not stated'
  await requireLicense(installation, noticeOf(model, license))
  const fetched: Array<[CatalogueFile, FetchedFile]> = []
  for (const file of model.files) {
    const result = await fetch(file).catch(withoutOptional(file))
    if (result !== undefined) fetched.push([file, result])
  }
  return [
    license,
    async (folder) => {
      for (const [{ path }, { path: downloaded }] of fetched) {
        if (path !== undefined) await rename(downloaded, join(folder, path))
        else await moveArchiveInto(downloaded, folder)
      }
      await writeSettings(folder, settingsOf(model, license))
    },
  ]
}

/** The `parlance.json` of a model: what the catalogue knows and its files do not say. */
const settingsOf = ({ format, kind, display_name, languages, quality }: CatalogueModel, license: string): object => {
  const known = languages.length === 0 ? {} : { languages }
  if (format === 'onnx') return { kind, display_name, ...known, license }
  return kind === 'stt' ? { ...known, license, ...(quality === undefined ? {} : { quality }) } : { license }
}

/** Moves the model of an archive into the folder, which is empty; one in its publisher's form is converted. */
const moveArchiveInto = async (archive: string, folder: string): Promise<void> => {
  const unpacked = `${archive}.unpacked`
  await rm(unpacked, { recursive: true, force: true })
  await unpackArchive(archive, unpacked)
  const found = (await findModelsIn(unpacked)).sources.find((source) => 'folder' in source)
  if (found === undefined) throw new InstallError('bad_archive', `There is no model in ${basename(unpacked)}.`)
  if (found.kind === 'moonshine') return convertMoonshine(found.folder, folder)
  // The staging folder is empty, which a rename may replace.
  await rename(found.folder, folder).catch((error: unknown) => {
    throw writeFailure(error, folder)
  })
}

/** Writes `parlance.json`, unless the publisher has put one there. */
const writeSettings = async (folder: string, settings: object): Promise<void> => {
  const text = `${JSON.stringify(settings, null, 2)}\n`
  await writeFile(join(folder, settingsFileName), text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw writeFailure(error, folder)
  })
}

/**
 * Downloads a model of the catalogue, checks it, converts it where it needs that, and puts it into `modelsDir` as a
 * whole. What has arrived of a failed installation stays for the next one. Rejects with `InstallError`.
 */
export const installModel = async (
  model: CatalogueModel,
  catalogue: Catalogue,
  options: InstallOptions,
): Promise<InstalledModel> => {
  const { modelsDir, replace = false, memoryBytes, measure, ...fetchOptions } = options
  const { name, format } = model
  if (!replace) await checkAbsent(modelsDir, name)
  checkMemory(model, memoryBytes)
  const downloads = join(modelsDir, downloadsName, name)
  const pinned = await readPinnedDigests(modelsDir)
  const files: DownloadedFile[] = []

  const installation: Installation = {
    model,
    catalogue,
    options,
    async fetch(file) {
      const pin = file.sha256 === null && !replace ? pinned[file.url] : undefined
      const facts = pin === undefined ? file : { ...file, size_bytes: pin.size_bytes, sha256: pin.sha256 }
      const fetched = await fetchCatalogueFile(facts, { ...fetchOptions, downloads })
      files.push({ url: file.url, size_bytes: fetched.sizeBytes, sha256: fetched.sha256 })
      return fetched
    },
  }
  await checkFreeSpace(model, modelsDir)
  try {
    const [license, fill] = await (format === 'piper' ? installPiper(installation) : installReady(installation))
    const folder = await publishFolder({ modelsDir, name, replace }, async (staging) => {
      await fill(staging)
      await checkFolder(staging, name)
      await writeInstallRecord(staging, { catalogueName: name, license, files })
      await measure?.(staging)
    })
    await pinDigests(modelsDir, files)
    await rm(downloads, { recursive: true, force: true })
    const sizeBytes = files.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
    return { name, folder, license, files, sizeBytes }
  } catch (error) {
    // What was downloaded whole and cannot be used would fail the next run too.
    const isUseless = error instanceof InstallError && ['bad_archive', 'unusable'].includes(error.failure)
    if (isUseless) await rm(downloads, { recursive: true, force: true })
    throw error
  }
}
