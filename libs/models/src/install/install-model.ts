import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Catalog, CatalogModel } from '../catalog.js'
import { InstallError, writeFailure } from '../folder/install-error.js'
import { type DownloadedFile, writeInstallRecord } from '../folder/install-record.js'
import { checkAbsent, checkFolder, checkModelName, publishFolder } from '../folder/publish-folder.js'
import { fetchCatalogFile } from './fetch-catalog-file.js'
import { checkFreeSpace, checkMemory } from './model-room.js'
import { type Installation, type InstallOptions, preparePiper, prepareReady } from './prepare-model.js'

const pinnedDigests = z.record(z.string(), z.object({ size_bytes: z.int(), sha256: z.string() }))
/** By URL: the digests of files at their first installation, for files without a SHA-256 in the catalog. */
type PinnedDigests = z.output<typeof pinnedDigests>

/** A hidden file in the models folder, which is kept when a model is removed. */
const pinnedDigestsName = '.pinned-digests.json'

/** Rejects when the file is damaged. Otherwise a changed model would be accepted. */
const readPinnedDigests = async (modelsDir: string): Promise<PinnedDigests> => {
  const text = await readFile(join(modelsDir, pinnedDigestsName), 'utf8').catch(() => '{}')
  return pinnedDigests.parse(JSON.parse(text))
}

const pinDigests = async (modelsDir: string, files: readonly DownloadedFile[]): Promise<void> => {
  const path = join(modelsDir, pinnedDigestsName)
  const pinned: PinnedDigests = { ...(await readPinnedDigests(modelsDir)) }
  for (const { url, size_bytes, sha256 } of files) pinned[url] = { size_bytes, sha256 }
  try {
    await mkdir(modelsDir, { recursive: true })
    await writeFile(`${path}.${process.pid}`, `${JSON.stringify(pinned, null, 2)}\n`)
    await rename(`${path}.${process.pid}`, path)
  } catch (error) {
    throw writeFailure(error, path)
  }
}

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

/**
 * Removes a model from `modelsDir`: it disappears at once for readers of the folder, and its files are then deleted.
 * Rejects with `InstallError`.
 */
export const removeModel = async (modelsDir: string, name: string): Promise<void> => {
  checkModelName(name)
  const folder = join(modelsDir, name)
  const status = await stat(folder).catch(() => undefined)
  if (status?.isDirectory() !== true) {
    throw new InstallError('not_installed', `There is no model ${name} in ${modelsDir}. See \`parlance models list\`.`)
  }
  const removed = join(modelsDir, `.${name}.${process.pid}.removed`)
  try {
    await rename(folder, removed)
    await rm(removed, { recursive: true, force: true })
  } catch (error) {
    throw writeFailure(error, folder)
  }
}
