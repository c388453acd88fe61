import type { CatalogModel } from './catalog.js'
import type { FolderSettings, PiperSettings, SpeakerSettings } from './folder-settings.js'
import { languageTags } from './language-tag.js'
import type { ModelKind, ModelSpeaker } from './speech-model.js'

/** The parts of the name of a Kokoro voice: `bf_emma` is a British woman. */
interface KokoroName {
  readonly name: string
  readonly gender: 'female' | 'male'
  /** A BCP 47 tag; undefined for an unknown letter. */
  readonly language: string | undefined
}

const kokoroLanguages: Readonly<Record<string, string>> = {
  a: 'en-US',
  b: 'en-GB',
  e: 'es',
  f: 'fr',
  h: 'hi',
  i: 'it',
  j: 'ja',
  p: 'pt-BR',
  z: 'zh',
}

/** Returns undefined for a name of another kind. */
export const readKokoroName = (id: string): KokoroName | undefined => {
  const match = /^([a-z])([fm])_(\w+)$/.exec(id)
  if (match === null) return undefined
  const [, language, gender, name] = match
  return { name: name!, gender: gender === 'f' ? 'female' : 'male', language: kokoroLanguages[language!] }
}

/** The data of a model's files about its speakers. */
interface SpeakerSources {
  readonly kind: ModelKind
  readonly displayName: string
  readonly speakerCount: number
  readonly languages: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
  readonly piper: PiperSettings | undefined
  readonly settings: FolderSettings
  /** The model's entry in the catalog. */
  readonly genders: CatalogModel['gender']
}

/** The default limit of voices; `parlance.json` can select others. */
const maxSpeakers = 128

/**
 * The languages for which sherpa-onnx makes phonemes for a Kokoro model. Speakers of others would mispronounce their texts.
 * From version 2 of the metadata: English and Chinese, by lexicons; before: the language of one voice of eSpeak NG.
 */
const spokenByKokoro = ({ version, voice = 'en-us' }: SpeakerSources['metadata']): readonly string[] =>
  Number(version ?? 1) >= 2 ? ['en', 'zh'] : languageTags(voice).slice(-1)

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

const fromKokoroName = (name: string): Partial<ModelSpeaker> | undefined => {
  const parts = readKokoroName(name)
  if (parts?.language === undefined) return undefined
  return {
    displayName: capitalized(parts.name.replaceAll('_', ' ')),
    gender: parts.gender,
    languages: languageTags(parts.language),
  }
}

/** Returns the names of the speakers in the model, by number. */
const speakerNames = ({ metadata, piper }: SpeakerSources): readonly (string | undefined)[] => {
  const listed = metadata.speaker_names?.split(',').map((name) => name.trim())
  if (listed !== undefined) return listed
  const names: string[] = []
  for (const [name, id] of Object.entries(piper?.speaker_id_map ?? {})) names[id] = name
  return names
}

const speaker = (
  sources: SpeakerSources,
  id: number,
  name: string | undefined,
  configured: SpeakerSettings | undefined,
): ModelSpeaker => {
  const { kind, displayName, speakerCount, languages, settings, genders } = sources
  const genderInCatalog = typeof genders === 'object' ? genders[name ?? ''] : genders
  const named = (kind === 'kokoro' && name !== undefined && fromKokoroName(name)) || {}
  const ownName = named.displayName ?? `${displayName} ${name ?? id + 1}`
  return {
    id,
    displayName: configured?.display_name ?? (speakerCount === 1 ? displayName : ownName),
    description: configured?.description ?? '',
    languages: configured?.languages ?? settings.languages ?? named.languages ?? languages,
    gender: configured?.gender ?? named.gender ?? genderInCatalog ?? 'neutral',
    tags: configured?.tags ?? [],
  }
}

/** Returns the speakers that `parlance.json` lists, otherwise the first 128 whose language can be spoken. */
export const modelSpeakers = (sources: SpeakerSources): ModelSpeaker[] => {
  const { kind, speakerCount, settings } = sources
  const names = speakerNames(sources)
  if (settings.speakers !== undefined)
    return settings.speakers.map((configured) => speaker(sources, configured.id, names[configured.id], configured))
  const all = Array.from({ length: speakerCount }, (_, id) => speaker(sources, id, names[id], undefined))
  const spokenLanguages = spokenByKokoro(sources.metadata)
  const spoken = (one: ModelSpeaker) =>
    kind !== 'kokoro' ||
    settings.languages !== undefined ||
    one.languages.some((tag) => spokenLanguages.includes(tag.split('-')[0]!))
  return all.filter(spoken).slice(0, maxSpeakers)
}
