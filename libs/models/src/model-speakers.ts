import type { FolderSettings, PiperSettings, SpeakerSettings } from './folder-settings.js'
import { readKokoroName } from './kokoro-name.js'
import { languageTags } from './language-tag.js'
import type { ModelKind, ModelSpeaker } from './speech-model.js'

/** What is known of a model's speakers from its own files. */
export interface SpeakerSources {
  readonly kind: ModelKind
  readonly displayName: string
  readonly speakerCount: number
  readonly languages: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
  readonly piper: PiperSettings | undefined
  readonly settings: FolderSettings
}

/** More voices than anybody chooses from; `parlance.json` says which, where these are not the right ones. */
const maxSpeakers = 128

/** sherpa-onnx makes phonemes of English and Chinese for these models; the speakers of other languages would misread theirs. */
const kokoroSpoken = ['en', 'zh']

const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

const fromKokoroName = (name: string): Partial<ModelSpeaker> | undefined => {
  const said = readKokoroName(name)
  if (said?.language === undefined) return undefined
  return {
    displayName: capitalised(said.name.replaceAll('_', ' ')),
    gender: said.gender,
    languages: languageTags(said.language),
  }
}

/** The names that speakers have in the model, by number. */
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
  said: SpeakerSettings | undefined,
): ModelSpeaker => {
  const { kind, displayName, speakerCount, languages, settings } = sources
  const told = (kind === 'kokoro' && name !== undefined && fromKokoroName(name)) || {}
  const ownName = told.displayName ?? `${displayName} ${name ?? id + 1}`
  return {
    id,
    displayName: said?.display_name ?? (speakerCount === 1 ? displayName : ownName),
    description: said?.description ?? '',
    languages: said?.languages ?? settings.languages ?? told.languages ?? languages,
    gender: said?.gender ?? told.gender ?? 'neutral',
    tags: said?.tags ?? [],
  }
}

/** Those that `parlance.json` lists; else all that can speak what they are named for, up to 128. */
export const modelSpeakers = (sources: SpeakerSources): ModelSpeaker[] => {
  const { kind, speakerCount, settings } = sources
  const names = speakerNames(sources)
  if (settings.speakers !== undefined)
    return settings.speakers.map((said) => speaker(sources, said.id, names[said.id], said))
  const all = Array.from({ length: speakerCount }, (_, id) => speaker(sources, id, names[id], undefined))
  const spoken = (one: ModelSpeaker) =>
    kind !== 'kokoro' ||
    settings.languages !== undefined ||
    one.languages.some((tag) => kokoroSpoken.includes(tag.split('-')[0]!))
  return all.filter(spoken).slice(0, maxSpeakers)
}
