import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type DetectorReading, isDetectorFolder, readDetectorFolder } from './detector-folder.js'
import { readFolderContent } from './model-files.js'
import { isFolder, type ModelReading, readModelFolder } from './model-folder.js'
import { modelSlug } from './model-name.js'
import { type RecognitionReading, readRecognitionFolder } from './recognition/recognition-folder.js'
import { isRecognizerFolder } from './recognition/recognition-kinds.js'

/** The purpose of a folder's model, and the model or the problems of the folder. */
type FolderReading =
  | { readonly purpose: 'speech'; readonly reading: ModelReading }
  | { readonly purpose: 'recognition'; readonly reading: RecognitionReading }
  | { readonly purpose: 'detection'; readonly reading: DetectorReading }

/** A folder of a models folder with the result of reading it. */
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

/** A folder without permission or on a failing disk does not prevent the use of the others. */
const unreadable = (error: NodeJS.ErrnoException): FolderReading =>
  refused(`The folder cannot be read (${error.code ?? error.message})`)

/**
 * Reads every folder in `modelsDir`, one model each, in order of their names. Hidden folders and files are ignored. Rejects when
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
        : refused(`The name is too similar to that of the folder ${namesake}: rename one of them`)
    found.push({ name, path, ...folder })
  }
  return found
}
