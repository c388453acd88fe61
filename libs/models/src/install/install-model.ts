import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Catalog, CatalogModel } from '../catalog/catalog-schema.js'
import { checkFolder } from '../folder/check-folder.js'
import { InstallError } from '../folder/install-error.js'
import { type DownloadedFile, writeInstallRecord } from '../folder/install-record.js'
import { checkAbsent, publishFolder } from '../folder/publish-folder.js'
import { fetchCatalogFile } from './fetch-catalog-file.js'
import type { Installation, InstallOptions } from './installation.js'
import { checkFreeSpace, checkMemory } from './model-room.js'
import { pinDigests, readPinnedDigests } from './pinned-digests.js'
import { preparePiper } from './prepare-piper.js'
import { prepareReady } from './prepare-ready.js'

export interface InstalledModel {
  readonly name: string
  readonly folder: string
  readonly license: string
  readonly files: readonly DownloadedFile[]
  /** The size of all `files`. */
  readonly sizeBytes: number
}

const downloadsName = '.downloads'

/**
 * Downloads a model of the catalog, checks it, converts it if necessary, and moves it into `modelsDir` as a
 * whole. The downloads of a failed installation are kept for the next one. Rejects with `InstallError`.
 */
export const installModel = async (
  model: CatalogModel,
  catalog: Catalog,
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
    catalog,
    options,
    async fetch(file) {
      const pin = file.sha256 === null && !replace ? pinned[file.url] : undefined
      const facts = pin === undefined ? file : { ...file, size_bytes: pin.size_bytes, sha256: pin.sha256 }
      const fetched = await fetchCatalogFile(facts, { ...fetchOptions, downloads })
      files.push({ url: file.url, size_bytes: fetched.sizeBytes, sha256: fetched.sha256 })
      return fetched
    },
  }
  await checkFreeSpace(model, modelsDir)
  try {
    const prepared = await (format === 'piper' ? preparePiper(installation) : prepareReady(installation))
    const { license } = prepared
    const folder = await publishFolder({ modelsDir, name, replace }, async (staging) => {
      await prepared.fill(staging)
      await checkFolder(staging, name)
      await writeInstallRecord(staging, { catalogName: name, license, files })
      await measure?.(staging)
    })
    await pinDigests(modelsDir, files)
    await rm(downloads, { recursive: true, force: true })
    const sizeBytes = files.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
    return { name, folder, license, files, sizeBytes }
  } catch (error) {
    // A complete download that cannot be used would fail the next run too.
    const isUseless = error instanceof InstallError && ['bad_archive', 'unusable'].includes(error.failure)
    if (isUseless) await rm(downloads, { recursive: true, force: true })
    throw error
  }
}
