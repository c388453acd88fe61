import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { CatalogModel } from './catalog/catalog-schema.js'
import { readCatalog } from './catalog/read-catalog.js'
import { type FolderSettings, readFolderSettings, readPiperSettings, settingsFileName } from './folder-settings.js'
import { languageTags } from './language-tag.js'
import { checkKokoroVoices, checkLexicons, checkMetadata } from './model-checks.js'
import { checkModelFile } from './model-file.js'
import { findLexicons, findModelFile, findRules, findVocoder, readFolderContent } from './model-files.js'
import { kindOf, needOf } from './model-kind.js'
import { modelDisplayName } from './model-name.js'
import { modelSpeakers } from './model-speakers.js'
import { readModelSpeed } from './model-speed.js'
import { type OnnxMetadata, readOnnxMetadata } from './onnx/onnx-metadata.js'
import { originalPiperProblem } from './original-piper.js'
import { createProblems } from './problems.js'
import type { ModelFiles, ModelKind, SpeechModel } from './speech-model.js'
import { readTokenTable } from './token-table.js'

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
      license: settings.license ?? 'Not stated by the model.',
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
