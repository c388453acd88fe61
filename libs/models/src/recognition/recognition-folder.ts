import { basename, resolve } from 'node:path'
import { type FolderSettings, readFolderSettings, settingsFileName, unknownLicense } from '../folder-settings.js'
import { languageTags } from '../language-tag.js'
import { createProblems } from '../model-file.js'
import { readFolderContent } from '../model-files.js'
import { modelDisplayName } from '../model-name.js'
import { readTokenTable } from '../token-table.js'
import { findTokens, type RecognitionModel, readModel, tokenizerName } from './recognition-kinds.js'

/** The model of a folder, or all of its problems. */
export type RecognitionReading = { readonly model: RecognitionModel } | { readonly problems: readonly string[] }

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
  const tokensFile = findTokens(content)
  const isOriginal = content.names.includes(tokenizerName) && !content.names.includes(basename(tokensFile))
  if (isOriginal)
    problems.push(`tokens.txt is missing: \`parlance models import ${path}\` makes it from ${tokenizerName}`)
  const tokens = isOriginal ? undefined : await attempt(() => readTokenTable(tokensFile))
  const data = await readModel(name, content, settings ?? {}, found)
  if (!settings || !tokens || !data) return { problems }

  const wrongTokens = data.checkTokens(tokens)
  if (wrongTokens !== undefined) problems.push(`${basename(tokensFile)} ${wrongTokens}`)
  const languages = settings.languages ?? (data.languages.length > 0 ? data.languages : languagesInName(name))
  if (languages.length === 0) {
    problems.push(`The language of the folder is unknown: name it as "languages" in ${settingsFileName}`)
  }
  if (problems.length > 0) return { problems }
  const hasSmallLetters = [...tokens.keys()].some((symbol) => isWord(symbol) && /\p{Ll}/u.test(symbol))
  return {
    model: {
      name,
      files: data.files,
      chunkMs: data.chunkMs ?? 0,
      languages,
      quality: settings.quality ?? data.quality,
      tokens: tokensFile,
      sizeBytes: content.sizeBytes,
      displayName: settings.display_name ?? modelDisplayName(name),
      writesCapitals: !hasSmallLetters && data.hasEncodedTokens !== true,
      license: settings.license ?? unknownLicense,
    },
  }
}
