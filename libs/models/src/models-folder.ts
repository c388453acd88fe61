import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type DetectorReading, isDetectorFolder, readDetectorFolder } from './detector-folder.js'
import { readFolderContent } from './model-files.js'
import { isFolder, type ModelReading, readModelFolder } from './model-folder.js'
import { modelSlug } from './model-name.js'
import { isRecognizerFolder } from './recognition-files.js'
import { type RecognitionReading, readRecognitionFolder } from './recognition-folder.js'

/** What a folder was found to be: its model speaks, or hears; or it is refused. */
export type FolderReading =
  | { readonly purpose: 'speech'; readonly reading: ModelReading }
  | { readonly purpose: 'recognition'; readonly reading: RecognitionReading }
  | { readonly purpose: 'detection'; readonly reading: DetectorReading }

/** A folder of a models folder, and what was found in it. */
export type FoundFolder = { readonly name: string; readonly path: string } & FolderReading

/** Reads a folder without loading its model. */
export const readFolder = async (path: string): Promise<FolderReading> => {
  const content = await readFolderContent(path)
  if (await isDetectorFolder(content)) return { purpose: 'detection', reading: await readDetectorFolder(path) }
  return (await isRecognizerFolder(content))
    ? { purpose: 'recognition', reading: await readRecognitionFolder(path) }
    : { purpose: 'speech', reading: await readModelFolder(path) }
}

const refused = (problem: string): FolderReading => ({ purpose: 'speech', reading: { problems: [problem] } })

/** What lies in it is another's, or the disk fails: that is no reason to do without the other folders. */
const unreadable = (error: NodeJS.ErrnoException): FolderReading =>
  refused(`The folder cannot be read (${error.code ?? error.message})`)

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
    const folder =
      namesake === undefined
        ? await readFolder(path).catch(unreadable)
        : refused(`The name is too much like that of the folder ${namesake}: give it another`)
    found.push({ name, path, ...folder })
  }
  return found
}
