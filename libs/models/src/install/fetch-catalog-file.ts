import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { CatalogAlternative, CatalogFile } from '../catalog.js'
import { contradictionOf, digestFile, type FileDigest, type PublishedFacts } from '../folder/file-digest.js'
import { InstallError, writeFailure } from '../folder/install-error.js'
import { unpackArchive } from '../folder/unpack-archive.js'
import { type DownloadPorts, downloadFile } from './download-file.js'

export interface FetchOptions extends DownloadPorts {
  /** The folder of downloads that are not installed yet. */
  readonly downloads: string
  /** The URL of a mirror, which has each file under the last path segment of its original URL. */
  readonly mirror?: string | undefined
  readonly onProgress?: ((file: string, receivedBytes: number, totalBytes: number | undefined) => void) | undefined
}

export interface FetchedFile extends FileDigest {
  readonly path: string
}

export const lastSegment = (url: string): string => decodeURIComponent(basename(new URL(url).pathname))

const addressOf = (url: string, mirror: string | undefined): string =>
  mirror === undefined ? url : `${mirror.replace(/\/+$/, '')}/${encodeURIComponent(lastSegment(url))}`

const fetchFrom = async (
  url: string,
  facts: PublishedFacts,
  { downloads, mirror, onProgress, ...ports }: FetchOptions,
): Promise<FetchedFile> => {
  const name = lastSegment(url)
  const path = join(downloads, name)
  // An earlier run may have downloaded the whole file.
  if ((await stat(path).catch(() => undefined)) !== undefined) {
    const digest = await digestFile(path)
    if (contradictionOf(digest, facts) === undefined) return { path, ...digest }
    await rm(path, { force: true })
  }
  const digest = await downloadFile(
    {
      url: addressOf(url, mirror),
      path,
      facts,
      onProgress: (receivedBytes, totalBytes) => onProgress?.(name, receivedBytes, totalBytes),
    },
    ports,
  )
  return { path, ...digest }
}

const factsOf = ({
  size_bytes,
  md5,
  sha256,
}: {
  size_bytes: number | null
  md5?: string | null
  sha256: string | null
}) => ({
  sizeBytes: size_bytes,
  md5: md5 ?? null,
  sha256,
})

const fetchAlternative = async (
  { url, size_bytes, sha256, member }: CatalogAlternative,
  file: CatalogFile,
  options: FetchOptions,
): Promise<FetchedFile> => {
  const fetched = await fetchFrom(url, factsOf({ size_bytes, sha256 }), options)
  if (member === undefined) return fetched
  const unpacked = join(options.downloads, 'unpacked')
  await unpackArchive(fetched.path, unpacked, { isWanted: (path) => path === member })
  const path = join(options.downloads, lastSegment(file.url))
  await rename(join(unpacked, member), path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw writeFailure(error, path)
    throw new InstallError('bad_archive', `${url} does not contain ${member}.`, { cause: error })
  })
  await rm(unpacked, { recursive: true, force: true })
  const digest = await digestFile(path)
  const contradiction = contradictionOf(digest, factsOf(file))
  if (contradiction === undefined) return { path, ...digest }
  throw new InstallError(
    'wrong_content',
    `${member} in ${url} is not the file that the catalog names: ${contradiction}.`,
  )
}

const canBeElsewhere = (error: unknown): boolean =>
  error instanceof InstallError && ['gone', 'refused', 'unreachable', 'wrong_content'].includes(error.failure)

/**
 * Downloads a file of the catalog from its own address, or from the next one that has it. Rejects with the
 * `InstallError` of the first address when none has it.
 */
export const fetchCatalogFile = async (file: CatalogFile, options: FetchOptions): Promise<FetchedFile> => {
  await mkdir(options.downloads, { recursive: true }).catch((error: unknown) => {
    throw writeFailure(error, options.downloads)
  })
  const attempts = [
    () => fetchFrom(file.url, factsOf(file), options),
    ...(file.also ?? []).map((alternative) => () => fetchAlternative(alternative, file, options)),
  ]
  let firstError: unknown
  for (const attempt of attempts) {
    try {
      return await attempt()
    } catch (error) {
      if (!canBeElsewhere(error)) throw error
      firstError ??= error
    }
  }
  throw firstError
}
