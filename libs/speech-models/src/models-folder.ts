import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isFolder, type ModelReading, readModelFolder } from './model-folder.js'
import { modelSlug } from './model-name.js'

/** A folder of a models folder, and what was found in it. */
export interface FoundFolder {
  readonly name: string
  readonly path: string
  readonly reading: ModelReading
}

/** What lies in it is another's, or the disk fails: that is no reason to do without the other folders. */
const unreadable = (error: NodeJS.ErrnoException): ModelReading => ({
  problems: [`The folder cannot be read (${error.code ?? error.message})`],
})

/**
 * Every folder in `modelsDir` by name, one model each; hidden ones and files beside them are passed over. Rejects when
 * `modelsDir` itself cannot be read.
 */
export const readModelsFolder = async (modelsDir: string): Promise<FoundFolder[]> => {
  const found: FoundFolder[] = []
  const folderOfSlug = new Map<string, string>()
  for (const name of (await readdir(modelsDir)).sort()) {
    const path = join(modelsDir, name)
    if (name.startsWith('.') || !(await isFolder(path))) continue
    const namesake = folderOfSlug.get(modelSlug(name))
    folderOfSlug.set(modelSlug(name), namesake ?? name)
    const reading: ModelReading =
      namesake === undefined
        ? await readModelFolder(path).catch(unreadable)
        : { problems: [`The name is too much like that of the folder ${namesake}: give it another`] }
    found.push({ name, path, reading })
  }
  return found
}
