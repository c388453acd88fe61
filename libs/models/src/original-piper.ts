import { basename } from 'node:path'
import type { FolderContent } from './model-files.js'
import type { OnnxMetadata } from './onnx/onnx-metadata.js'

const neededFiles = ['tokens.txt', 'espeak-ng-data']
const neededMetadata = ['comment', 'language', 'voice', 'n_speakers', 'sample_rate']

/**
 * Lists everything that is missing in a folder with an original Piper model, and the command that adds it; undefined for any
 * other folder.
 */
export const originalPiperProblem = (
  { path, names }: FolderContent,
  model: string,
  metadata: OnnxMetadata,
): string | undefined => {
  const isOriginal = names.includes(`${basename(model)}.json`) && metadata.sample_rate === undefined
  if (!isOriginal) return undefined
  const files = neededFiles.filter((name) => !names.includes(name))
  const keys = neededMetadata.filter((key) => metadata[key] === undefined)
  const missing = [...files, `the metadata ${keys.join(', ')}`].join(', ')
  return `${basename(model)} is an original Piper model, which lacks ${missing}: \`parlance models import ${path}\` adds them`
}
