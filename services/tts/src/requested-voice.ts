import type { OfferedVoice, SynthesisRequest } from '@parlance/contracts'
import { ServiceError, spokenLanguage } from '@parlance/contracts'

export interface RequestedVoice {
  readonly voice: OfferedVoice
  readonly variant: string
  /** The voice's own tag for the language asked for. */
  readonly language: string
}

/** Finds a voice by its id, or by its display name in any case. */
export const createVoiceFinder = (voices: readonly OfferedVoice[]) => {
  const byName = new Map<string, OfferedVoice>()
  for (const voice of voices) byName.set(voice.display_name.toLowerCase(), voice)
  // Last, so that no display name hides an id.
  for (const voice of voices) byName.set(voice.id, voice)
  return (name: string): OfferedVoice | undefined => byName.get(name.toLowerCase())
}
export type FindVoice = ReturnType<typeof createVoiceFinder>

/** What a request means among the voices there are. The errors say what there is instead. */
export const requestedVoice = (
  find: FindVoice,
  { voice: name, variant, language }: Pick<SynthesisRequest, 'voice' | 'variant' | 'language'>,
): RequestedVoice => {
  const voice = find(name)
  if (voice === undefined) {
    throw new ServiceError('voice_not_found', 'There is no such voice. GET /v1/voices lists those that can be used.')
  }
  const found = findVariant(voice, variant)
  const spoken = spokenLanguage(voice.languages, language)
  if (spoken === undefined) {
    const known = voice.languages.join(', ')
    throw new ServiceError('invalid_request', `language: the voice ${voice.display_name} speaks ${known}`)
  }
  return { voice, variant: found, language: spoken }
}

const findVariant = ({ display_name, variants }: OfferedVoice, wanted: string | null): string => {
  const found = wanted === null ? variants[0] : variants.find(({ id }) => id === wanted)
  if (found !== undefined) return found.id
  const known = variants.map(({ id }) => id).join(', ')
  throw new ServiceError('invalid_request', `tts_variant: the voice ${display_name} has ${known}`)
}
