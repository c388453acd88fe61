/** Finds the files of a model by the names that publishers use. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FolderSettings } from './folder-settings.js'
import { ModelFileError } from './model-file.js'

/** The names and the size of the files of a folder. */
export interface FolderContent {
  readonly path: string
  readonly names: readonly string[]
  /** The size of all files, including those in folders. */
  readonly sizeBytes: number
}

export const readFolderContent = async (path: string): Promise<FolderContent> => {
  const entries = await readdir(path, { withFileTypes: true, recursive: true })
  // A broken link is reported when its file is used.
  const sizeOf = async (file: string) => (await stat(file).catch(() => ({ size: 0 }))).size
  const files = entries.filter((entry) => !entry.isDirectory())
  const sizes = await Promise.all(files.map(({ parentPath, name }) => sizeOf(join(parentPath, name))))
  return {
    path,
    names: entries
      .filter(({ parentPath }) => parentPath === path)
      .map(({ name }) => name)
      .sort(),
    sizeBytes: sizes.reduce((sum, size) => sum + size, 0),
  }
}

const vocoderName = /^(vocos|hifigan|.*vocoder).*\.onnx$/i
const smallerName = /[.-](int8|fp16|q8|quant\w*)\.onnx$/i

/** Returns the models without their smaller copies. */
export const fullModels = (names: readonly string[]): readonly string[] => {
  const full = names.filter((name) => !smallerName.test(name))
  return full.length === 0 ? names : full
}

/** Returns the path of the model. Throws `ModelFileError` when there is none, or more than one. */
export const findModelFile = ({ path, names }: FolderContent, settings: FolderSettings): string => {
  if (settings.model !== undefined) return join(path, settings.model)
  const candidates = fullModels(names.filter((name) => name.endsWith('.onnx') && !vocoderName.test(name)))
  if (candidates.length === 0)
    throw new ModelFileError(join(path, 'model.onnx'), 'is missing, and there is no other .onnx file')
  if (candidates.length > 1) {
    throw new ModelFileError(
      join(path, candidates[0]!),
      `is one of several models (${candidates.join(', ')}): name one as "model" in parlance.json`,
    )
  }
  return join(path, candidates[0]!)
}

export const findVocoder = ({ path, names }: FolderContent): string | undefined => {
  const name = names.find((name) => vocoderName.test(name))
  return name === undefined ? undefined : join(path, name)
}

/** Returns the lexicons. Of an American and a British one, only the American is used. */
export const findLexicons = ({ path, names }: FolderContent): string[] => {
  const lexicons = names.filter((name) => /^lexicon.*\.txt$/.test(name))
  const isSecondEnglish = (name: string) => name === 'lexicon-gb-en.txt' && lexicons.includes('lexicon-us-en.txt')
  return lexicons.filter((name) => !isSecondEnglish(name)).map((name) => join(path, name))
}

/** Phone numbers, then dates, then other numbers; otherwise a date would be read as a number. */
const ruleOrder = ['phone', 'date', 'number']
const rankOf = (name: string) => {
  const rank = ruleOrder.findIndex((rule) => name.startsWith(rule))
  return rank === -1 ? ruleOrder.length : rank
}

export const findRules = ({ path, names }: FolderContent, ending: '.fst' | '.far'): string[] =>
  names
    .filter((name) => name.endsWith(ending))
    .sort((a, b) => rankOf(a) - rankOf(b))
    .map((name) => join(path, name))
