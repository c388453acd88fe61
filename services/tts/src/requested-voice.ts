import {
  chosenLanguage,
  chosenVariant,
  type OfferedVoice,
  ServiceError,
  type SynthesisRequest,
} from '@parlance/contracts'

export interface RequestedVoice {
  readonly voice: OfferedVoice
  readonly variant: string
  /** The voice's own tag for the requested language. */
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
type FindVoice = ReturnType<typeof createVoiceFinder>

/** Finds the voice, variant and language of a request. Errors list the available ones. */
export const requestedVoice = (
  find: FindVoice,
  { voice: name, variant, language }: Pick<SynthesisRequest, 'voice' | 'variant' | 'language'>,
): RequestedVoice => {
  const voice = find(name)
  if (voice === undefined) {
    throw new ServiceError('voice_not_found', 'There is no such voice. GET /v1/voices lists those that can be used.')
  }
  return { voice, variant: chosenVariant(voice, variant).id, language: chosenLanguage(voice, language) }
}
