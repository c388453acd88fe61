import { baseLanguage, languageName } from '../shared/languages.js'
import { isAvailable, type Voice } from './voice-queries.js'

/** A voice and one of its variants. */
export interface VoiceChoice {
  readonly voiceId: string
  readonly variant: string
}

const languageOf = ({ languages: [tag = 'und'] }: Voice): string => tag

/** Such as "Clara · female, DE". */
const labelOf = (voice: Voice): string => {
  const { region } = new Intl.Locale(languageOf(voice))
  const traits = [voice.gender, region, isAvailable(voice) ? undefined : 'not available'].filter(Boolean)
  return `${voice.display_name} · ${traits.join(', ')}`
}

interface VoiceGroup {
  readonly group: string
  readonly items: { value: string; label: string; disabled: boolean }[]
}

/** The voices by language, for a select. The language of the browser comes first. */
export const voiceGroups = (voices: readonly Voice[]): VoiceGroup[] => {
  const own = languageName(baseLanguage(navigator.language))
  const groups = new Map<string, VoiceGroup['items']>()
  for (const voice of voices) {
    const name = languageName(baseLanguage(languageOf(voice)))
    const item = { value: voice.id, label: labelOf(voice), disabled: !isAvailable(voice) }
    groups.set(name, [...(groups.get(name) ?? []), item])
  }
  return [...groups]
    .map(([group, items]) => ({ group, items }))
    .sort((a, b) => Number(b.group === own) - Number(a.group === own) || a.group.localeCompare(b.group))
}

/** The languages of this person, with the exact region before the language; English when no voice speaks any of them. */
const wantedLanguages = (): string[] => [...navigator.languages, ...navigator.languages.map(baseLanguage), 'en']

/** The available voice for this person. Of several the first, since the list begins with the best. */
export const nearestVoice = (voices: readonly Voice[]): Voice | undefined => {
  const available = voices.filter(isAvailable)
  const speaking = (range: string) =>
    available.find((voice) => languageOf(voice) === range || languageOf(voice).startsWith(`${range}-`))
  return wantedLanguages().map(speaking).find(Boolean) ?? available[0]
}
