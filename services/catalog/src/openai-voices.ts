import { primaryLanguage, type RoutedVoice } from '@parlance/contracts'

/** OpenAI's names of voices, with the gender that each sounds like. A voice that is neutral takes any gender. */
const genders = {
  alloy: 'neutral',
  ash: 'male',
  ballad: 'male',
  cedar: 'male',
  coral: 'female',
  echo: 'male',
  fable: 'neutral',
  marin: 'female',
  nova: 'female',
  onyx: 'male',
  sage: 'female',
  shimmer: 'female',
  verse: 'male',
} as const satisfies Record<string, RoutedVoice['gender']>

/** A voice and the rank of its quality. The lowest is the best. */
interface RankedVoice {
  readonly voice: RoutedVoice
  readonly quality: number
}

const speaksEnglish = ({ voice }: RankedVoice): boolean => primaryLanguage(voice.languages[0]!).toLowerCase() === 'en'

const bestOf = (voices: readonly RankedVoice[]): RoutedVoice[] => {
  const best = Math.min(...voices.map(({ quality }) => quality))
  return voices.filter(({ quality }) => quality === best).map(({ voice }) => voice)
}

/**
 * The voice for each of OpenAI's names, if there are voices. `voices` are in the order of the list. English voices come
 * first, then those of the gender, then the best. The names of a gender use these in rotation, so that a name is the same voice
 * while the voices stay the same.
 */
export const openaiVoices = (voices: readonly RankedVoice[]): [name: string, voice: RoutedVoice][] => {
  if (voices.length === 0) return []
  const english = voices.filter(speaksEnglish)
  const spoken = english.length > 0 ? english : voices
  const taken = { female: 0, male: 0, neutral: 0 }
  return Object.entries(genders).map(([name, gender]) => {
    const ofGender = spoken.filter(({ voice }) => gender === 'neutral' || voice.gender === gender)
    const candidates = bestOf(ofGender.length > 0 ? ofGender : spoken)
    return [name, candidates[taken[gender]++ % candidates.length]!]
  })
}
