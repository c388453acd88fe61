import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { CatalogModel } from '../catalog.js'
import { digestFile } from './file-digest.js'
import { writeFailure } from './install-error.js'

/** A hidden file in the model's folder, so that it moves and goes with the model. */
const installRecordName = '.parlance-install.json'

const downloadedFile = z.object({
  url: z.string(),
  size_bytes: z.int().nonnegative(),
  /** The digests of the download, whether or not the catalog had them. */
  sha256: z.string(),
})

const installRecord = z.object({
  /** The name in the catalog; null for a model that was imported from the disk. */
  catalogue_name: z.string().nullable(),
  license: z.string(),
  installed_at: z.string(),
  /** The downloaded files. */
  files: z.array(downloadedFile),
  /** The files in the folder after the installation, which differ when the model was converted. */
  content: z.array(z.object({ path: z.string(), size_bytes: z.int().nonnegative(), sha256: z.string() })),
})
/** Where an installed model came from, and what it consists of. */
export type InstallRecord = z.output<typeof installRecord>
export type DownloadedFile = z.output<typeof downloadedFile>

/** The digest of each file in a model's folder. Data that models share is left out, and so are hidden files. */
const contentOf = async (folder: string): Promise<InstallRecord['content']> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.startsWith(join(folder, 'espeak-ng-data')))
    .sort()
  const content: InstallRecord['content'] = []
  for (const path of paths) {
    const { sizeBytes, sha256 } = await digestFile(path)
    content.push({ path: path.slice(folder.length + 1), size_bytes: sizeBytes, sha256 })
  }
  return content
}

export const writeInstallRecord = async (
  folder: string,
  { catalogName, license, files }: { catalogName: string | null; license: string; files: DownloadedFile[] },
): Promise<void> => {
  const record: InstallRecord = {
    catalogue_name: catalogName,
    license,
    installed_at: new Date().toISOString(),
    files,
    content: await contentOf(folder),
  }
  const path = join(folder, installRecordName)
  await writeFile(path, `${JSON.stringify(record, null, 2)}\n`).catch((error: unknown) => {
    throw writeFailure(error, path)
  })
}

/** Undefined for a folder that was created by hand, or whose record is damaged. */
export const readInstallRecord = async (folder: string): Promise<InstallRecord | undefined> => {
  const text = await readFile(join(folder, installRecordName), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    return installRecord.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** A line for each file that has changed since the installation. */
export const findChangedFiles = async (folder: string, { content }: InstallRecord): Promise<string[]> => {
  const problems: string[] = []
  for (const { path, sha256 } of content) {
    const digest = await digestFile(join(folder, path)).catch(() => undefined)
    if (digest === undefined) problems.push(`${path} is missing since the model was installed`)
    else if (digest.sha256 !== sha256) problems.push(`${path} was changed since the model was installed`)
  }
  return problems
}

/** Whether the catalog now names other files than those that were installed. Optional files do not count. */
export const isOutdated = ({ files }: CatalogModel, record: InstallRecord): boolean =>
  files.some(({ url, size_bytes, sha256, optional }) => {
    if (optional) return false
    const installed = record.files.find((file) => file.url === url)
    if (installed === undefined) return true
    if (sha256 !== null) return installed.sha256 !== sha256
    return size_bytes !== null && installed.size_bytes !== size_bytes
  })
