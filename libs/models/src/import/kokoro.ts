import { copyFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parse } from 'npyjs'
import yauzl from 'yauzl'
import { z } from 'zod'
import { writeFailure } from '../folder/install-error.js'
import { type FolderSettings, readFolderSettings, settingsFileName } from '../folder-settings.js'
import { ModelFileError, readModelText } from '../model-file.js'
import { fullModels } from '../model-files.js'
import { readKokoroName } from '../model-speakers.js'
import { appendOnnxMetadata } from '../onnx/onnx-metadata.js'

/** Numbers of 32 bits, in row-major order. */
interface NumpyArray {
  readonly shape: readonly number[]
  readonly values: Float32Array
}

const isFloats = (data: ArrayBufferView): data is Float32Array => data instanceof Float32Array

const readAll = async (stream: AsyncIterable<Buffer>): Promise<ArrayBuffer> => {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Uint8Array.from(Buffer.concat(parts)).buffer
}

/**
 * Reads the arrays of floats in a zip of NumPy's (`.npz`), by their names, in its order. Rejects with `ModelFileError` when the
 * file is not such a zip, is damaged, or has an array of another type.
 */
const readNumpyArchive = async (path: string): Promise<ReadonlyMap<string, NumpyArray>> => {
  const arrays = new Map<string, NumpyArray>()
  try {
    const zip = await yauzl.openPromise(path)
    try {
      for await (const entry of zip.eachEntry()) {
        const { data, shape, fortranOrder } = parse(await readAll(await zip.openReadStreamPromise(entry)))
        if (!isFloats(data) || fortranOrder)
          throw new Error(`${entry.fileName} is not a row-major array of 32-bit floats`)
        const count = shape.reduce((product, size) => product * size, 1)
        if (data.length < count) throw new Error(`${entry.fileName} is cut off`)
        arrays.set(entry.fileName.replace(/\.npy$/, ''), { shape, values: data.subarray(0, count) })
      }
    } finally {
      zip.close()
    }
  } catch (error) {
    throw new ModelFileError(path, `is not an archive of NumPy's arrays: ${(error as Error).message}`)
  }
  return arrays
}

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

interface FoundKokoro {
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

const vocabularySchema = z.object({ vocab: z.record(z.string().min(1), z.int().nonnegative()) })

/** The content of the files of an original Kokoro model, besides its weights. */
export interface KokoroContent {
  /** Names such as `jf_alpha`, in the order of their styles. */
  readonly speakers: readonly string[]
  /** The dimensions of the style of one speaker: lengths of text × 1 × numbers. */
  readonly styleShape: readonly number[]
  readonly styles: readonly Float32Array[]
  /** The number of each phoneme. */
  readonly phonemeIds: ReadonlyMap<string, number>
  /** The language in which texts are read, a BCP 47 tag. */
  readonly language: string
  readonly settings: FolderSettings
}

const readVocabulary = async (path: string): Promise<ReadonlyMap<string, number>> => {
  try {
    return new Map(Object.entries(vocabularySchema.parse(JSON.parse(await readModelText(path))).vocab))
  } catch (error) {
    if (error instanceof ModelFileError) throw error
    throw new ModelFileError(path, 'has no "vocab" with the number of each phoneme')
  }
}

/** Chinese is left out: eSpeak NG does not make the phonemes that Kokoro's Chinese speakers need. */
const isReadByEspeak = (language: string) => language !== 'zh'

/** The language of most speakers whose texts eSpeak NG can read. */
const commonLanguage = (speakers: readonly string[]): string | undefined => {
  const counts = new Map<string, number>()
  for (const name of speakers) {
    const language = readKokoroName(name)?.language
    if (language !== undefined && isReadByEspeak(language)) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/** Reads all files of the model except its weights. Rejects with `ModelFileError`. */
export const readKokoroContent = async (source: KokoroSource): Promise<KokoroContent> => {
  const settings = source.settings === undefined ? {} : await readFolderSettings(dirname(source.settings))
  const phonemeIds = await readVocabulary(source.vocabulary)
  const arrays = await readNumpyArchive(source.styles)
  const shapes = new Set([...arrays.values()].map(({ shape }) => shape.join()))
  const styleShape = [...arrays.values()][0]?.shape ?? []
  if (shapes.size !== 1 || styleShape.length !== 3) {
    throw new ModelFileError(source.styles, 'has no styles of Kokoro, one array of three dimensions for each speaker')
  }
  const speakers = [...arrays.keys()]
  const language = settings.languages?.[0] ?? commonLanguage(speakers)
  if (language === undefined) {
    throw new ModelFileError(
      source.styles,
      `has no speaker whose language is known (${speakers.join(', ')}): name it as "languages" in parlance.json`,
    )
  }
  return {
    speakers,
    styleShape,
    styles: [...arrays.values()].map(({ values }) => values),
    phonemeIds,
    language,
    settings,
  }
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' })

/** All Kokoro models speak at this rate. */
const sampleRateHz = 24_000

/**
 * The metadata of a Kokoro model that sherpa-onnx reads. Version 1 reads every text with one voice of eSpeak NG; later ones
 * need lexicons, which the original does not have.
 */
const metadataOf = ({ speakers, styleShape, language }: KokoroContent) => ({
  model_type: 'kokoro',
  version: '1',
  language: languageNames.of(language.split('-')[0]!) ?? language,
  voice: language.toLowerCase(),
  has_espeak: '1',
  sample_rate: String(sampleRateHz),
  n_speakers: String(speakers.length),
  speaker_names: speakers.join(','),
  style_dim: styleShape.join(','),
})

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) => new Uint8Array(buffer, byteOffset, byteLength)

/**
 * Writes an original Kokoro model into `folder` in the form that sherpa-onnx reads: metadata in the model, `tokens.txt`,
 * `voices.bin` and `parlance.json`. The data of eSpeak NG is added by `addEspeakData`. The source is not changed.
 */
export const convertKokoro = async (source: KokoroSource, content: KokoroContent, folder: string): Promise<void> => {
  const { model: _, ...settings } = content.settings
  const model = join(folder, 'model.onnx')
  const tokens = [...content.phonemeIds].map(([symbol, id]) => `${symbol} ${id}\n`)
  try {
    await copyFile(source.model, model)
    await appendOnnxMetadata(model, metadataOf(content))
    await writeFile(join(folder, 'tokens.txt'), tokens.join(''))
    await writeFile(join(folder, 'voices.bin'), Buffer.concat(content.styles.map(bytesOf)))
    await writeFile(join(folder, settingsFileName), `${JSON.stringify(settings, null, 2)}\n`)
  } catch (error) {
    throw writeFailure(error, folder)
  }
}
