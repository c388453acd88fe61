/** Which file of a recogniser's folder is what. Names are as the models' publishers choose them. */
import { join } from 'node:path'
import { ModelFileError } from './model-file.js'
import { type FolderContent, fullModels } from './model-files.js'
import { readOnnxMetadata } from './onnx/onnx-metadata.js'

export type TransducerPart = 'encoder' | 'decoder' | 'joiner'

const partsOf = ({ names }: FolderContent, part: TransducerPart): readonly string[] =>
  fullModels(names.filter((name) => new RegExp(`(^|[-_.])${part}[-_.].*onnx$`).test(name)))

/** Throws `ModelFileError` when there is none, or several. */
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

/** Whether the folder's model hears rather than speaks. What cannot be read is left to whoever reads it for good. */
export const isRecognizerFolder = async (content: FolderContent): Promise<boolean> => {
  if (isTransducer(content)) return true
  for (const name of content.names.filter((name) => name.endsWith('.onnx'))) {
    const metadata = await readOnnxMetadata(join(content.path, name)).catch(() => undefined)
    if (metadata?.lfr_window_size !== undefined) return true
  }
  return false
}
