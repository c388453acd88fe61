import { join } from 'node:path'
import { settingsFileName } from '../folder-settings.js'
import { fullModels } from '../model-files.js'

/** The files of an original Kokoro model. */
export interface KokoroSource {
  readonly kind: 'kokoro'
  readonly name: string
  readonly model: string
  /** The styles of its speakers, an archive of NumPy's arrays. */
  readonly styles: string
  /** JSON that names the number of each phoneme. */
  readonly vocabulary: string
  /** A `parlance.json` beside them. */
  readonly settings: string | undefined
}

export interface FoundKokoro {
  /** The names of the ONNX files that are Kokoro models, without ending. */
  readonly names: readonly string[]
  readonly sources: readonly KokoroSource[]
  readonly problems: readonly string[]
}

const stylesName = /\.npz$|^voices.*\.bin$/i
const vocabularyNames = ['vocab.json', 'config.json']

/**
 * Finds the original Kokoro model among the files of a folder, by the names that its publishers use. If a model has smaller
 * copies, the full one is used. `only` is the name of the requested model.
 */
export const findKokoro = (folder: string, files: readonly string[], only?: string): FoundKokoro => {
  const models = files.filter((file) => /kokoro.*\.onnx$/i.test(file) && !files.includes(`${file}.json`))
  const names = models.map((file) => file.slice(0, -'.onnx'.length))
  const wanted = only === undefined ? fullModels(models) : models.filter((file) => file === `${only}.onnx`)
  const styles = files.find((file) => stylesName.test(file))
  const vocabulary = vocabularyNames.find((file) => files.includes(file))
  const sources: KokoroSource[] = []
  const problems: string[] = []
  for (const file of wanted) {
    if (styles === undefined) problems.push(`the styles of its speakers are missing beside ${file}: voices-v1.0.bin`)
    if (vocabulary === undefined) problems.push(`the numbers of its phonemes are missing beside ${file}: config.json`)
    if (styles === undefined || vocabulary === undefined) continue
    sources.push({
      kind: 'kokoro',
      name: file.slice(0, -'.onnx'.length),
      model: join(folder, file),
      styles: join(folder, styles),
      vocabulary: join(folder, vocabulary),
      settings: files.includes(settingsFileName) ? join(folder, settingsFileName) : undefined,
    })
  }
  return { names, sources, problems }
}
