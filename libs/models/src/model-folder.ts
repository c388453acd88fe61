import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type CatalogModel, readCatalog } from './catalog.js'
import {
  type FolderSettings,
  readFolderSettings,
  readPiperSettings,
  settingsFileName,
  unknownLicense,
} from './folder-settings.js'
import { languageTags } from './language-tag.js'
import { readLexicon } from './lexicon.js'
import { checkModelFile, createProblems, ModelFileError } from './model-file.js'
import {
  type FolderContent,
  findLexicons,
  findModelFile,
  findRules,
  findVocoder,
  readFolderContent,
} from './model-files.js'
import { modelDisplayName } from './model-name.js'
import { readModelSpeed } from './model-records.js'
import { modelSpeakers } from './model-speakers.js'
import { type OnnxMetadata, readOnnxMetadata, requireMetadata } from './onnx/onnx-metadata.js'
import { type ModelFiles, type ModelKind, modelKinds, type SpeechModel } from './speech-model.js'
import { readTokenTable } from './token-table.js'

const neededFiles = ['tokens.txt', 'espeak-ng-data']
const neededMetadata = ['comment', 'language', 'voice', 'n_speakers', 'sample_rate']

/**
 * Lists everything that is missing in a folder with an original Piper model, and the command that adds it; undefined for any
 * other folder.
 */
const originalPiperProblem = (
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

const isOn = (flag: string | undefined) => flag !== undefined && flag !== '0' && flag !== ''

/** Returns the kind by the model's metadata, otherwise by the files beside it. Throws `ModelFileError` for an unsupported type. */
export const kindOf = (
  model: string,
  { names }: FolderContent,
  vocoder: string | undefined,
  metadata: OnnxMetadata,
): ModelKind => {
  const type = metadata.model_type?.toLowerCase()
  const declared = modelKinds.find((kind) => type?.includes(kind))
  if (type !== undefined && declared === undefined) {
    throw new ModelFileError(model, `is a model of type "${type}": Kokoro, Matcha and VITS models can be spoken with`)
  }
  return declared ?? (names.includes('voices.bin') ? 'kokoro' : vocoder === undefined ? 'vits' : 'matcha')
}

/** The files that a model needs besides its own and its tokens. */
interface ModelNeed {
  readonly espeakData: boolean
  readonly lexicon: boolean
}

const needOf = (kind: ModelKind, content: FolderContent, metadata: OnnxMetadata): ModelNeed => {
  if (kind === 'kokoro') return { espeakData: true, lexicon: Number(metadata.version ?? 1) >= 2 }
  if (kind === 'matcha')
    return { espeakData: isOn(metadata.has_espeak), lexicon: isOn(metadata.jieba) || !isOn(metadata.has_espeak) }
  if (metadata.frontend === 'characters') return { espeakData: false, lexicon: false }
  const readsPhonemes = isOn(metadata.has_espeak) || /piper/.test(metadata.comment ?? '')
  const espeakData = readsPhonemes && (content.names.includes('espeak-ng-data') || findLexicons(content).length === 0)
  return { espeakData, lexicon: !espeakData }
}

/** Checks of a model that do not load it. All throw or reject with `ModelFileError`. */

const sampleRateHz = { min: 8000, max: 48_000 }

/** Checks the metadata for which the native library would end the process. */
const checkMetadata = (model: string, kind: ModelKind, metadata: OnnxMetadata): void => {
  const needed = [
    'sample_rate',
    'n_speakers',
    ...(kind === 'vits' ? ['language', 'comment'] : []),
    ...(kind === 'kokoro' ? ['style_dim', 'has_espeak'] : []),
  ]
  requireMetadata(model, metadata, needed)
  const rateHz = Number(metadata.sample_rate)
  if (!Number.isInteger(rateHz) || rateHz < sampleRateHz.min || rateHz > sampleRateHz.max) {
    throw new ModelFileError(model, `has a sample rate of ${metadata.sample_rate} Hz: 8,000 to 48,000 can be used`)
  }
  if (!/^\d{1,4}$/.test(metadata.n_speakers!))
    throw new ModelFileError(model, `cannot have ${metadata.n_speakers} speakers`)
}

/** Checks the size of the styles: some numbers for each length of text and each speaker. */
const checkKokoroVoices = async (path: string, { style_dim, n_speakers }: OnnxMetadata): Promise<void> => {
  const sizeBytes = await checkModelFile(path)
  const expected = style_dim!.split(',').reduce((product, part) => product * Number(part), 4 * Number(n_speakers))
  if (sizeBytes !== expected) {
    throw new ModelFileError(
      path,
      `is cut off or of another model: it has ${sizeBytes} bytes and should have ${expected}`,
    )
  }
}

/** Checks that the lexicons are of this model. One of another model has phonemes that this one lacks, so few words are spoken. */
const checkLexicons = async (paths: readonly string[], tokens: ReadonlyMap<string, number>): Promise<void> => {
  for (const path of paths) {
    const words = [...(await readLexicon([path])).values()]
    if (words.length === 0) throw new ModelFileError(path, 'has no word')
    const spoken = words.filter((phonemes) => phonemes.every((phoneme) => tokens.has(phoneme))).length
    if (spoken * 2 < words.length)
      throw new ModelFileError(path, 'is of another model: its phonemes are not in tokens.txt')
  }
}

export type ModelReading = { readonly model: SpeechModel } | { readonly problems: readonly string[] }

const espeakDataFiles = ['phontab', 'phonindex', 'phondata', 'intonations']

const languagesOf = (
  folder: string,
  kind: ModelKind,
  metadata: OnnxMetadata,
  piperCode: string | undefined,
): string[] => {
  const inName = /(?:^|[-_.])([a-z]{2,3}_[A-Z]{2})(?:[-_.]|$)/.exec(folder)?.[1]
  const sources = [piperCode, inName, metadata.voice, metadata.language, kind === 'kokoro' ? 'en' : undefined]
  for (const source of sources) {
    const tags = source === undefined ? [] : languageTags(source)
    if (tags.length > 0) return tags
  }
  return []
}

/** A model of the catalog is identified by its folder, or by the name of its file in a folder with another name. */
const gendersOf = async (folderName: string, model: string): Promise<CatalogModel['gender']> => {
  const names = [folderName, basename(model, '.onnx')]
  return (await readCatalog()).models.find(({ name }) => names.includes(name))?.gender
}

/**
 * Reads a folder without loading its model. Resolves with all problems that can be found, each one line that names the file.
 * Files that can only be checked by loading the model (`parlance models verify` does) are assumed to be valid.
 */
export const readModelFolder = async (folder: string): Promise<ModelReading> => {
  const { problems, attempt } = createProblems()
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
  const piperProblem = model && metadata && originalPiperProblem(content, model, metadata)
  if (piperProblem !== undefined) return { problems: [piperProblem] }
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
    problems.push(`The language of the folder is unknown: name it as "languages" in ${settingsFileName}`)
  const speakerCount = Math.max(1, Number(metadata.n_speakers))
  const unknown = settings?.speakers?.filter(({ id }) => id >= speakerCount) ?? []
  if (unknown.length > 0) {
    problems.push(
      `${settingsFileName} names the speaker ${unknown[0]!.id}, but the model has ${speakerCount} speakers, from 0`,
    )
  }
  if (problems.length > 0 || settings === undefined) return { problems }

  const displayName = settings.display_name ?? modelDisplayName(name)
  const genders = await gendersOf(name, model)
  const speakers = modelSpeakers({ kind, displayName, speakerCount, languages, metadata, piper, settings, genders })
  if (speakers.length === 0) {
    return {
      problems: [
        `No speaker has a language that the model can read: list the speakers to offer in ${settingsFileName}`,
      ],
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
      license: settings.license ?? unknownLicense,
      creditPer1kCharacters: settings.credit_per_1k_characters,
      speaksLexiconOnly: kind === 'vits' && need.lexicon && metadata.frontend !== 'characters',
      speed: await readModelSpeed(path),
      sizeBytes: content.sizeBytes,
    },
  }
}

/** Resolves with whether the path is a folder. */
export const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true
