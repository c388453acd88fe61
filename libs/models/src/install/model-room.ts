import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { dirname, resolve } from 'node:path'
import { type CatalogModel, sizeOfModel } from '../catalog.js'
import { InstallError } from '../folder/install-error.js'

/** Returns how much memory this machine has, or the container that runs this process, in bytes. */
export const machineMemoryBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem())

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`

/** Throws `InstallError` for a model that takes more than `memoryBytes`; undefined is no limit. */
export const checkMemory = ({ name, memory_bytes }: CatalogModel, memoryBytes: number | undefined): void => {
  if (memory_bytes === null || memoryBytes === undefined || memory_bytes <= memoryBytes) return
  const have = `this machine has ${megabytes(memoryBytes)}`
  throw new InstallError('not_enough_memory', `${name} needs about ${megabytes(memory_bytes)} of memory, but ${have}.`)
}

/** The space on the disk of a folder, or of the nearest folder above it that exists. */
const freeBytesOf = async (folder: string): Promise<number | undefined> => {
  const disk = await statfs(folder).catch(() => undefined)
  if (disk !== undefined) return disk.bavail * disk.bsize
  const parent = dirname(folder)
  return parent === folder ? undefined : freeBytesOf(parent)
}

/**
 * Rejects with `InstallError` when the disk of `modelsDir` has no room: the downloads and the installed model are on it at the
 * same time.
 */
export const checkFreeSpace = async (model: CatalogModel, modelsDir: string): Promise<void> => {
  const size = sizeOfModel(model)
  const freeBytes = await freeBytesOf(resolve(modelsDir))
  if (size === null || freeBytes === undefined || freeBytes >= 2 * size) return
  const need = `${model.name} needs ${megabytes(2 * size)} on the disk of ${modelsDir}`
  throw new InstallError('disk_full', `The disk is too full: ${need}, but only ${megabytes(freeBytes)} are free.`)
}
