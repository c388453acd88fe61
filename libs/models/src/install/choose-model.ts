import { matchesLanguage, primaryLanguage } from '@parlance/contracts'
import { type CatalogModel, sizeOfModel } from '../catalog.js'

/** A model of the catalog, and the language for which it was chosen. */
export interface ChosenModel {
  readonly model: CatalogModel
  /** A BCP 47 tag of the model. */
  readonly language: string
  /** Null where it is not published. */
  readonly sizeBytes: number | null
}

/**
 * The qualities of a Piper voice, by the ends of their names: `low` sounds dull, and `high` takes three times as long as
 * `medium`.
 */
const qualityRanks = ['-medium', '-high', '-low']

/** Compared in order; the lowest is the best. */
const voiceRanks = ({ name, license, files, format, speakers }: CatalogModel, isExact: boolean): readonly number[] => {
  const quality = qualityRanks.findIndex((ending) => name.endsWith(ending))
  return [
    license.permissive === true ? 0 : license.name === null ? 1 : 2,
    isExact ? 0 : 1,
    // Models that are larger for other formats speak too slowly on small machines.
    format === 'piper' ? 0 : 1,
    quality === -1 ? qualityRanks.length : quality,
    files.every(({ sha256, optional }) => sha256 !== null || optional) ? 0 : 1,
    speakers ?? 1,
  ]
}

const compare = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((rank, index) => rank !== b[index])
  return at === -1 ? 0 : a[at]! - b[at]!
}

/** The model with the lowest ranks among those of the language. `ranksOf` returns undefined for a model that is left out. */
const bestOf = (
  models: readonly CatalogModel[],
  wanted: string,
  ranksOf: (model: CatalogModel) => readonly number[] | undefined,
): ChosenModel | undefined => {
  const candidates = models.flatMap((model) => {
    const language = model.languages.find((tag) => matchesLanguage(tag, primaryLanguage(wanted)))
    const ranks = ranksOf(model)
    if (language === undefined || ranks === undefined) return []
    return [{ chosen: { model, language, sizeBytes: sizeOfModel(model) }, ranks }]
  })
  return candidates.sort((a, b) => compare(a.ranks, b.ranks))[0]?.chosen
}

/**
 * The voice to offer to a reader of these BCP 47 tags: one for the first language that any voice speaks, else an English one. A
 * permissive license counts most, then the region. Models of unknown size are left out.
 */
export const chooseVoice = (models: readonly CatalogModel[], languages: readonly string[]): ChosenModel | undefined => {
  for (const language of [...languages, 'en']) {
    const best = bestOf(models, language, (model) => {
      if (model.kind !== 'tts' || sizeOfModel(model) === null) return undefined
      const isExact = model.languages.some((tag) => matchesLanguage(tag, language))
      return voiceRanks(model, isExact)
    })
    if (best !== undefined) return best
  }
  return undefined
}

/**
 * The recognizer to offer for a BCP 47 tag, among those that are recommended and fit into the memory: one whose memory is known
 * first, then one with a permissive license, then the most accurate.
 */
export const chooseRecognizer = (
  models: readonly CatalogModel[],
  wanted: string,
  memoryBytes: number,
): ChosenModel | undefined =>
  bestOf(models, wanted, ({ kind, recommended, memory_bytes, license, quality }) => {
    if (kind !== 'stt' || !recommended || (memory_bytes ?? 0) > memoryBytes) return undefined
    return [memory_bytes === null ? 1 : 0, license.permissive === true ? 0 : 1, -(quality ?? 0)]
  })
