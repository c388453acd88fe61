import { dirname } from 'node:path'
import { z } from 'zod'
import { type FolderSettings, readFolderSettings } from '../folder-settings.js'
import { readKokoroName } from '../kokoro-name.js'
import { ModelFileError, readModelText } from '../model-file.js'
import type { KokoroSource } from './find-kokoro.js'
import { readNumpyArchive } from './numpy-archive.js'

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
