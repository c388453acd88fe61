import { basename, join, resolve } from 'node:path'
import { type FolderSettings, readFolderSettings, settingsFileName } from '../folder-settings.js'
import { languageTags } from '../language-tag.js'
import { ModelFileError } from '../model-file.js'
import { type FolderContent, findModelFile, readFolderContent } from '../model-files.js'
import { modelDisplayName } from '../model-name.js'
import { type OnnxMetadata, readOnnxMetadata } from '../onnx/onnx-metadata.js'
import { createProblems, type Problems } from '../problems.js'
import { readTokenTable } from '../token-table.js'
import { findPart, isTransducer, type TransducerPart } from './recognition-files.js'
import type { RecognitionModel } from './recognition-model.js'

export type RecognitionReading = { readonly model: RecognitionModel } | { readonly problems: readonly string[] }

/** The types with streaming encoders. */
const streamingTypes = ['conformer', 'ebranchformer', 'lstm', 'zipformer', 'zipformer2']
const senseVoiceLanguages = ['en', 'ja', 'ko', 'yue', 'zh']
const frameMs = 10

/** The data of a model's metadata. */
interface ModelData extends Pick<RecognitionModel, 'files' | 'chunkMs' | 'languages'> {
  /** The number of its tokens. */
  readonly tokenCount: number
}

const wholeNumber = (model: string, metadata: OnnxMetadata, key: string): number => {
  const value = metadata[key]
  if (value === undefined) throw new ModelFileError(model, `was not made for sherpa-onnx: its metadata lacks ${key}`)
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new ModelFileError(model, `is invalid: its ${key} is ${value}`)
  return Number(value)
}

const readTransducer = async (content: FolderContent, { attempt }: Problems): Promise<ModelData | undefined> => {
  const read = async (part: TransducerPart) => {
    const path = await attempt(() => findPart(content, part))
    const metadata = path && (await attempt(() => readOnnxMetadata(path)))
    return path && metadata && { path, metadata }
  }
  const encoder = await read('encoder')
  const decoder = await read('decoder')
  const joiner = await read('joiner')
  if (!encoder || !decoder || !joiner) return undefined
  return attempt(() => {
    const { model_type: type, decode_chunk_len: chunk } = encoder.metadata
    if (type !== undefined && !streamingTypes.includes(type)) {
      throw new ModelFileError(encoder.path, `is of type "${type}": ${streamingTypes.join(', ')} can be used`)
    }
    if (chunk === undefined) {
      throw new ModelFileError(
        encoder.path,
        'recognises whole utterances: of transducers only streaming ones can be used',
      )
    }
    return {
      files: {
        kind: 'streaming-transducer',
        encoder: encoder.path,
        decoder: decoder.path,
        joiner: joiner.path,
      },
      chunkMs: wholeNumber(encoder.path, encoder.metadata, 'T') * frameMs,
      tokenCount: wholeNumber(decoder.path, decoder.metadata, 'vocab_size'),
      languages: [],
    }
  })
}

const readSenseVoice = async (
  content: FolderContent,
  settings: FolderSettings,
  { attempt }: Problems,
): Promise<ModelData | undefined> => {
  const model = await attempt(() => findModelFile(content, settings))
  const metadata = model && (await attempt(() => readOnnxMetadata(model)))
  if (!model || !metadata) return undefined
  return attempt(() => {
    if (metadata.lang_auto === undefined) {
      throw new ModelFileError(model, 'is neither SenseVoice nor a streaming transducer, which can be used')
    }
    return {
      files: { kind: 'sense-voice', model },
      chunkMs: 0,
      tokenCount: wholeNumber(model, metadata, 'vocab_size'),
      languages: senseVoiceLanguages.filter((language) => metadata[`lang_${language}`] !== undefined),
    }
  })
}

/** Returns the languages in `streaming-zipformer-bilingual-zh-en-2023` or `…-korean-2024`: tags and full names. */
const languagesInName = (folder: string): string[] => [
  ...new Set(
    folder.split(/[-_.]/).flatMap((part) => (/^([a-z]{2}|[a-z]{5,}|yue)$/.test(part) ? languageTags(part) : [])),
  ),
]

const isWord = (symbol: string) => !/^<.*>$/.test(symbol)

/** Reads the folder of a model for recognition without loading it, as `readModelFolder` does for speech. */
export const readRecognitionFolder = async (folder: string): Promise<RecognitionReading> => {
  const found = createProblems()
  const { problems, attempt } = found
  const path = resolve(folder)
  const name = basename(path)
  const content = await readFolderContent(path)
  const settings: FolderSettings | undefined = content.names.includes(settingsFileName)
    ? await attempt(() => readFolderSettings(path))
    : {}
  const tokensFile = join(path, 'tokens.txt')
  const tokens = await attempt(() => readTokenTable(tokensFile))
  const data = isTransducer(content)
    ? await readTransducer(content, found)
    : await readSenseVoice(content, settings ?? {}, found)
  if (!settings || !tokens || !data) return { problems }

  const highest = Math.max(0, ...tokens.values())
  if (highest + 1 < data.tokenCount) {
    problems.push(
      `tokens.txt is of another model: its highest number is ${highest}, the model's ${data.tokenCount - 1}`,
    )
  }
  const languages = settings.languages ?? (data.languages.length > 0 ? data.languages : languagesInName(name))
  if (languages.length === 0) {
    problems.push(`The language of the folder is unknown: name it as "languages" in ${settingsFileName}`)
  }
  if (problems.length > 0) return { problems }
  const { files, chunkMs } = data
  return {
    model: {
      name,
      files,
      chunkMs,
      languages,
      tokens: tokensFile,
      sizeBytes: content.sizeBytes,
      displayName: settings.display_name ?? modelDisplayName(name),
      writesCapitals: ![...tokens.keys()].some((symbol) => isWord(symbol) && /\p{Ll}/u.test(symbol)),
      license: settings.license ?? 'Not stated by the model.',
    },
  }
}
