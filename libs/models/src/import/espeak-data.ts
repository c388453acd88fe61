import { cp, mkdir, readdir, rename, rm, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFailure } from '../folder/install-error.js'

/** The folder that all models of a models folder share. Its name hides it from readers of the folder. */
const sharedEspeakData = '.espeak-ng-data'

const isEspeakData = async (folder: string): Promise<boolean> =>
  (await stat(join(folder, 'phontab')).catch(() => undefined))?.isFile() === true

const firstEspeakData = async (folders: readonly string[]): Promise<string | undefined> => {
  for (const folder of folders) if (await isEspeakData(folder)) return folder
  return undefined
}

/** Where systems keep the data that comes with eSpeak NG. */
const systemFolders = async (): Promise<string[]> => {
  const libraries = await readdir('/usr/lib', { withFileTypes: true }).catch(() => [])
  return [
    '/usr/share/espeak-ng-data',
    '/usr/local/share/espeak-ng-data',
    '/opt/homebrew/share/espeak-ng-data',
    ...libraries.filter((entry) => entry.isDirectory()).map(({ name }) => `/usr/lib/${name}/espeak-ng-data`),
  ]
}

/**
 * The data of eSpeak NG for the models in `modelsDir`: `given`, else the data that they already share, else the system's.
 * Resolves with undefined when no data is found.
 */
export const findEspeakData = async (modelsDir: string, given?: string): Promise<string | undefined> =>
  given === undefined
    ? firstEspeakData([join(modelsDir, sharedEspeakData), ...(await systemFolders())])
    : firstEspeakData([given])

/** Copies `source` to the place where the models share it, unless it is already there. */
const shareEspeakData = async (modelsDir: string, source: string): Promise<void> => {
  const shared = join(modelsDir, sharedEspeakData)
  if (await isEspeakData(shared)) return
  const staging = `${shared}.${process.pid}`
  try {
    await mkdir(modelsDir, { recursive: true })
    await cp(source, staging, { recursive: true, dereference: true })
    await rename(staging, shared)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    // Another import has copied it meanwhile.
    if (await isEspeakData(shared)) return
    throw writeFailure(error, shared)
  }
}

/** Gives the model in `folder`, which lies in `modelsDir`, the data: a link to the shared copy, or a copy without links. */
export const addEspeakData = async (modelsDir: string, folder: string, source: string): Promise<void> => {
  await shareEspeakData(modelsDir, source)
  const target = join(folder, 'espeak-ng-data')
  try {
    // A relative link works wherever the models folder is mounted. Windows allows links to administrators alone.
    await symlink(join('..', sharedEspeakData), target, 'dir').catch(() =>
      cp(join(modelsDir, sharedEspeakData), target, { recursive: true }),
    )
  } catch (error) {
    throw writeFailure(error, target)
  }
}
