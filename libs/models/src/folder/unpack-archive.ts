import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, normalize, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { unpackTar } from 'modern-tar/fs'
import unbzip2 from 'unbzip2-stream'
import yauzl from 'yauzl'
import { InstallError, writeFailure } from './install-error.js'

type ArchiveFormat = 'tar' | 'tar.gz' | 'tar.bz2' | 'zip'

const formats: ReadonlyArray<readonly [RegExp, ArchiveFormat]> = [
  [/\.tar\.bz2$|\.tbz2?$/i, 'tar.bz2'],
  [/\.tar\.gz$|\.tgz$/i, 'tar.gz'],
  [/\.tar$/i, 'tar'],
  [/\.zip$|\.whl$/i, 'zip'],
]

const formatOf = (name: string): ArchiveFormat | undefined => formats.find(([ending]) => ending.test(name))?.[1]

/** By the name's ending: `.tar`, `.tar.gz`, `.tar.bz2`, `.zip` and `.whl`, which is a zip. */
export const isArchiveName = (name: string): boolean => formatOf(name) !== undefined

const unsafe = (name: string) =>
  new InstallError('bad_archive', `The archive is not safe to unpack: it contains ${JSON.stringify(name)}.`)

/** Throws `InstallError` for a name outside of the destination folder. */
const checkEntryName = (name: string): void => {
  const path = normalize(name.replaceAll('\\', '/'))
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.split(sep).includes('..')) throw unsafe(name)
}

/** The files that the archiver of macOS adds, which are not part of the content. */
const isResourceFork = (name: string) => /(^|\/)(\._[^/]*|__MACOSX)(\/|$)/.test(name)

interface UnpackOptions {
  /** Which files are unpacked, by their path in the archive. Default: all. */
  readonly isWanted?: ((path: string) => boolean) | undefined
}

const unpackTarFile = async (
  archive: string,
  folder: string,
  format: ArchiveFormat,
  isWanted: (path: string) => boolean,
) => {
  const target = unpackTar(folder, {
    fmode: 0o644,
    dmode: 0o755,
    filter: ({ name, type }) => {
      checkEntryName(name)
      if (type === 'directory') return false
      if (type !== 'file') throw unsafe(`${name} (a ${type})`)
      return !isResourceFork(name) && isWanted(name)
    },
  })
  const source = createReadStream(archive)
  if (format === 'tar.gz') await pipeline(source, createGunzip(), target)
  else if (format === 'tar.bz2') await pipeline(source, unbzip2() as unknown as NodeJS.ReadWriteStream, target)
  else await pipeline(source, target)
}

const unpackZipFile = async (archive: string, folder: string, isWanted: (path: string) => boolean) => {
  const zip = await yauzl.openPromise(archive)
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName
      checkEntryName(name)
      if (name.endsWith('/') || isResourceFork(name) || !isWanted(name)) continue
      const path = join(folder, name)
      await mkdir(dirname(path), { recursive: true })
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path))
    }
  } finally {
    zip.close()
  }
}

/**
 * Unpacks the files of an archive into `folder`. Rejects with `InstallError` when the archive is damaged, contains a link
 * or a name outside of the folder, or when the disk is full.
 */
export const unpackArchive = async (
  archive: string,
  folder: string,
  { isWanted = () => true }: UnpackOptions = {},
): Promise<void> => {
  const format = formatOf(archive)
  if (format === undefined)
    throw new InstallError('bad_archive', `${archive} is not a .tar.bz2, .tar.gz, .tar, .zip or .whl.`)
  await mkdir(folder, { recursive: true })
  try {
    if (format === 'zip') await unpackZipFile(archive, folder, isWanted)
    else await unpackTarFile(archive, folder, format, isWanted)
  } catch (error) {
    if (error instanceof InstallError) throw error
    // The parsers' own errors have no `syscall`.
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw writeFailure(error, folder)
    throw new InstallError('bad_archive', `${archive} cannot be unpacked: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}
