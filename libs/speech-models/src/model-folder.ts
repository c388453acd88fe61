import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type FolderSettings, readFolderSettings, readPiperSettings, settingsFileName } from './folder-settings.js'
import { languageTags } from './language-tag.js'
import { readLexicon } from './lexicon.js'
import { checkModelFile, ModelFileError } from './model-file.js'
import {
  type FolderContent,
  findLexicons,
  findModelFile,
  findRules,
  findVocoder,
  readFolderContent,
} from './model-files.js'
import { modelSpeakers } from './model-speakers.js'
import { readOnnxMetadata } from './onnx-metadata.js'
import type { ModelFiles, ModelKind, SpeechModel } from './speech-model.js'
import { readTokenTable } from './token-table.js'

export type ModelReading = { readonly model: SpeechModel } | { readonly problems: readonly string[] }

type Metadata = Readonly<Record<string, string>>

const espeakDataFiles = ['phontab', 'phonindex', 'phondata', 'intonations']
const sampleRateHz = { min: 8000, max: 48_000 }

const isOn = (flag: string | undefined) => flag !== undefined && flag !== '0' && flag !== ''

/** By the files beside the model, which decide, and by what it says of itself, which must not speak against them. */
const kindOf = (
  model: string,
  { names }: FolderContent,
  vocoder: string | undefined,
  metadata: Metadata,
): ModelKind => {
  const type = metadata.model_type?.toLowerCase()
  const told = (['kokoro', 'matcha', 'vits'] as const).find((kind) => type?.includes(kind))
  if (type !== undefined && told === undefined) {
    throw new ModelFileError(model, `is a model of type "${type}": Kokoro, Matcha and VITS models can be spoken with`)
  }
  return told ?? (names.includes('voices.bin') ? 'kokoro' : vocoder === undefined ? 'vits' : 'matcha')
}

/** What the native library would end the process for, said beforehand. */
const checkMetadata = (model: string, kind: ModelKind, metadata: Metadata): void => {
  const needed = [
    'sample_rate',
    'n_speakers',
    ...(kind === 'vits' ? ['language', 'comment'] : []),
    ...(kind === 'kokoro' ? ['style_dim', 'has_espeak'] : []),
  ]
  const missing = needed.filter((key) => metadata[key] === undefined)
  if (missing.length > 0) {
    throw new ModelFileError(model, `was not made for sherpa-onnx: its metadata lacks ${missing.join(', ')}`)
  }
  const rateHz = Number(metadata.sample_rate)
  if (!Number.isInteger(rateHz) || rateHz < sampleRateHz.min || rateHz > sampleRateHz.max) {
    throw new ModelFileError(model, `has a sample rate of ${metadata.sample_rate} Hz: 8,000 to 48,000 can be used`)
  }
  if (!/^\d{1,4}$/.test(metadata.n_speakers!))
    throw new ModelFileError(model, `cannot have ${metadata.n_speakers} speakers`)
}

/** A style of so many numbers for each length of text and each speaker. */
const checkKokoroVoices = async (path: string, { style_dim, n_speakers }: Metadata): Promise<void> => {
  const sizeBytes = await checkModelFile(path)
  const expected = style_dim!.split(',').reduce((product, part) => product * Number(part), 4 * Number(n_speakers))
  if (sizeBytes !== expected) {
    throw new ModelFileError(
      path,
      `is cut off or of another model: it has ${sizeBytes} bytes and should have ${expected}`,
    )
  }
}

interface Need {
  readonly espeakData: boolean
  readonly lexicon: boolean
}

const needOf = (kind: ModelKind, content: FolderContent, metadata: Metadata): Need => {
  if (kind === 'kokoro') return { espeakData: true, lexicon: Number(metadata.version ?? 1) >= 2 }
  if (kind === 'matcha')
    return { espeakData: isOn(metadata.has_espeak), lexicon: isOn(metadata.jieba) || !isOn(metadata.has_espeak) }
  if (metadata.frontend === 'characters') return { espeakData: false, lexicon: false }
  const readsPhonemes = isOn(metadata.has_espeak) || /piper/.test(metadata.comment ?? '')
  const espeakData = readsPhonemes && (content.names.includes('espeak-ng-data') || findLexicons(content).length === 0)
  return { espeakData, lexicon: !espeakData }
}

/** A lexicon of another model names phonemes that this one does not have, and then hardly a word is spoken. */
const checkLexicons = async (paths: readonly string[], tokens: ReadonlySet<string>): Promise<void> => {
  for (const path of paths) {
    const words = [...(await readLexicon([path])).values()]
    if (words.length === 0) throw new ModelFileError(path, 'has no word')
    const spoken = words.filter((phonemes) => phonemes.every((phoneme) => tokens.has(phoneme))).length
    if (spoken * 2 < words.length)
      throw new ModelFileError(path, 'is of another model: its phonemes are not in tokens.txt')
  }
}

const qualities =
  /^(x_low|low|medium|high|int8|fp16|vits|piper|matcha|icefall|coqui|mimic3|mms|hf|[a-z]{2,3}_[A-Z]{2})$/

/** `vits-piper-en_US-amy-low` is Amy. */
const displayNameOf = (folder: string): string => {
  const said = folder
    .split('-')
    .filter((part) => !qualities.test(part))
    .join(' ')
    .replaceAll('_', ' ')
    .trim()
  return said === '' ? folder : said.charAt(0).toUpperCase() + said.slice(1)
}

const languagesOf = (folder: string, kind: ModelKind, metadata: Metadata, piperCode: string | undefined): string[] => {
  const inName = /(?:^|[-_.])([a-z]{2,3}_[A-Z]{2})(?:[-_.]|$)/.exec(folder)?.[1]
  const told = [piperCode, inName, metadata.voice, metadata.language, kind === 'kokoro' ? 'en' : undefined]
  for (const said of told) {
    const tags = said === undefined ? [] : languageTags(said)
    if (tags.length > 0) return tags
  }
  return []
}

/**
 * Reads a folder without loading its model. Everything that can be known to be wrong is told, each as one line that
 * names the file; files that only loading can judge (`parlance models verify` does) are taken for good.
 */
export const readModelFolder = async (folder: string): Promise<ModelReading> => {
  const problems: string[] = []
  /** Notes what is wrong with a file and goes on, so that all of it is told at once. */
  const attempt = async <Result>(work: () => Result | Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ModelFileError)) throw error
      problems.push(error.message)
      return undefined
    }
  }

  const path = resolve(folder)
  const name = basename(path)
  const content = await readFolderContent(path)
  const isThere = (file: string) => content.names.includes(file)

  const settings: FolderSettings | undefined = isThere(settingsFileName)
    ? await attempt(() => readFolderSettings(path))
    : {}
  const tokens = await attempt(() => readTokenTable(join(path, 'tokens.txt')))
  const model = await attempt(() => findModelFile(content, settings ?? {}))
  const metadata = model && (await attempt(() => readOnnxMetadata(model)))
  const vocoder = findVocoder(content)
  const kind = model && metadata && (await attempt(() => kindOf(model, content, vocoder, metadata)))
  if (!model || !metadata || !kind) return { problems }

  await attempt(() => checkMetadata(model, kind, metadata))
  if (problems.length > 0 && metadata.sample_rate === undefined) return { problems }
  if (kind === 'kokoro') await attempt(() => checkKokoroVoices(join(path, 'voices.bin'), metadata))
  if (kind === 'matcha' && metadata.need_vocoder !== '0')
    await attempt(() => readOnnxMetadata(vocoder ?? join(path, 'vocoder.onnx')))

  const need = needOf(kind, content, metadata)
  const espeakData = join(path, 'espeak-ng-data')
  if (need.espeakData) for (const file of espeakDataFiles) await attempt(() => checkModelFile(join(espeakData, file)))
  const lexicons = findLexicons(content)
  if (need.lexicon && lexicons.length === 0) await attempt(() => checkModelFile(join(path, 'lexicon.txt')))
  if (tokens && lexicons.length > 0) await attempt(() => checkLexicons(lexicons, tokens))
  const rules = [...findRules(content, '.fst'), ...findRules(content, '.far')]
  for (const rule of rules) await attempt(() => checkModelFile(rule))

  const piperFile = `${model}.json`
  const piper = isThere(basename(piperFile)) ? await attempt(() => readPiperSettings(piperFile)) : undefined
  const languages = settings?.languages ?? languagesOf(name, kind, metadata, piper?.language?.code)
  if (languages.length === 0)
    problems.push(`The folder does not tell its language: name it as "languages" in ${settingsFileName}`)
  const speakerCount = Math.max(1, Number(metadata.n_speakers))
  const unknown = settings?.speakers?.filter(({ id }) => id >= speakerCount) ?? []
  if (unknown.length > 0) {
    problems.push(`${settingsFileName} names a speaker ${unknown[0]!.id}, and the model has ${speakerCount}, from 0`)
  }
  if (problems.length > 0 || settings === undefined) return { problems }

  const displayName = settings.display_name ?? displayNameOf(name)
  const speakers = modelSpeakers({ kind, displayName, speakerCount, languages, metadata, piper, settings })
  if (speakers.length === 0) {
    return {
      problems: [`None of the speakers is of a language it can read: name those to offer in ${settingsFileName}`],
    }
  }
  const files: ModelFiles = {
    model,
    tokens: join(path, 'tokens.txt'),
    lexicons,
    rules: findRules(content, '.fst'),
    ruleArchives: findRules(content, '.far'),
    ...(kind === 'kokoro' ? { voices: join(path, 'voices.bin') } : {}),
    ...(kind === 'matcha' && vocoder !== undefined ? { vocoder } : {}),
    ...(need.espeakData || isThere('espeak-ng-data') ? { espeakData } : {}),
  }
  return {
    model: {
      name,
      displayName,
      kind,
      files,
      sampleRateHz: Number(metadata.sample_rate),
      speakers,
      speakerCount,
      languages: [...new Set(speakers.flatMap((speaker) => speaker.languages))],
      license: settings.license ?? 'Not stated by the model.',
      creditPer1kCharacters: settings.credit_per_1k_characters,
      speaksLexiconOnly: kind === 'vits' && need.lexicon && metadata.frontend !== 'characters',
      sizeBytes: content.sizeBytes,
    },
  }
}

/** Whether there is a folder to be read at all. */
export const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true
