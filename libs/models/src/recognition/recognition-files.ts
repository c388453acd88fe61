/** Finds the files of a model for recognition by the names that publishers use. */
import { join } from 'node:path'
import { ModelFileError } from '../model-file.js'
import { type FolderContent, fullModels } from '../model-files.js'
import { readOnnxMetadata } from '../onnx/onnx-metadata.js'

export type TransducerPart = 'encoder' | 'decoder' | 'joiner'

const partsOf = ({ names }: FolderContent, part: TransducerPart): readonly string[] =>
  fullModels(names.filter((name) => new RegExp(`(^|[-_.])${part}[-_.].*onnx$`).test(name)))

/** Returns the path of a part. Throws `ModelFileError` when there is none, or more than one. */
export const findPart = (content: FolderContent, part: TransducerPart): string => {
  const [found, ...others] = partsOf(content, part)
  if (found === undefined) throw new ModelFileError(join(content.path, `${part}.onnx`), 'is missing')
  if (others.length > 0) {
    throw new ModelFileError(found, `is one of several (${[found, ...others].join(', ')}): leave one in the folder`)
  }
  return join(content.path, found)
}

export const isTransducer = (content: FolderContent): boolean =>
  partsOf(content, 'encoder').length > 0 || partsOf(content, 'joiner').length > 0

/** Resolves with whether the folder's model is for recognition. Unreadable files are ignored here. */
export const isRecognizerFolder = async (content: FolderContent): Promise<boolean> => {
  if (isTransducer(content)) return true
  for (const name of content.names.filter((name) => name.endsWith('.onnx'))) {
    const metadata = await readOnnxMetadata(join(content.path, name)).catch(() => undefined)
    if (metadata?.lfr_window_size !== undefined) return true
  }
  return false
}
