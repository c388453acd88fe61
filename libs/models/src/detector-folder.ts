import { basename, resolve } from 'node:path'
import { readFolderSettings, settingsFileName, unknownLicense } from './folder-settings.js'
import { createProblems } from './model-file.js'
import { type FolderContent, findModelFile, readFolderContent } from './model-files.js'
import { modelDisplayName } from './model-name.js'
import { readOnnxMetadata } from './onnx/onnx-metadata.js'

/** The folder of a turn detector in which nothing is missing, as far as can be checked without loading the model. */
export interface DetectorModel {
  /** The name of the folder. */
  readonly name: string
  readonly displayName: string
  readonly kind: 'turn'
  /** The absolute path of the ONNX file. */
  readonly file: string
  /** BCP 47 tags; empty where the language does not matter. */
  readonly languages: readonly string[]
  readonly license: string
  /** Of all its files. */
  readonly sizeBytes: number
}

export type DetectorReading = { readonly model: DetectorModel } | { readonly problems: readonly string[] }

/** Whether the folder's `parlance.json` names it as a turn detector. A damaged file is reported by the reader of the folder. */
export const isDetectorFolder = async ({ path, names }: FolderContent): Promise<boolean> =>
  names.includes(settingsFileName) && (await readFolderSettings(path).catch(() => undefined))?.kind !== undefined

/** Reads the folder of a turn detector without loading the model. */
export const readDetectorFolder = async (folder: string): Promise<DetectorReading> => {
  const { problems, attempt } = createProblems()
  const path = resolve(folder)
  const name = basename(path)
  const content = await readFolderContent(path)
  const settings = await attempt(() => readFolderSettings(path))
  const file = settings && (await attempt(() => findModelFile(content, settings)))
  if (file !== undefined) await attempt(() => readOnnxMetadata(file))
  if (settings?.kind === undefined || file === undefined || problems.length > 0) return { problems }
  return {
    model: {
      name,
      displayName: settings.display_name ?? modelDisplayName(name),
      kind: settings.kind,
      file,
      languages: settings.languages ?? [],
      license: settings.license ?? unknownLicense,
      sizeBytes: content.sizeBytes,
    },
  }
}
