import type { OfferedVoice, SynthesisRequest } from '@parlance/contracts'
import { ServiceError } from '@parlance/contracts'

export interface RequestedVoice {
  readonly voice: OfferedVoice
  readonly variant: string
  /** The voice's own tag for the language asked for. */
  readonly language: string
}

/** Finds what a request names among the voices on offer. The errors say what there is instead. */
export const createVoiceFinder = (voices: readonly OfferedVoice[]) => {
  const byName = new Map<string, OfferedVoice>()
  for (const voice of voices) {
    byName.set(voice.id, voice)
    byName.set(voice.display_name.toLowerCase(), voice)
  }

  return ({
    voice: name,
    variant,
    language,
  }: Pick<SynthesisRequest, 'voice' | 'variant' | 'language'>): RequestedVoice => {
    const voice = byName.get(name.toLowerCase())
    if (voice === undefined) {
      throw new ServiceError('voice_not_found', 'There is no such voice. GET /v1/voices lists those that can be used.')
    }
    return { voice, variant: findVariant(voice, variant), language: findLanguage(voice, language) }
  }
}

const findVariant = ({ display_name, variants }: OfferedVoice, wanted: string | null): string => {
  const found = wanted === null ? variants[0] : variants.find(({ id }) => id === wanted)
  if (found !== undefined) return found.id
  const known = variants.map(({ id }) => id).join(', ')
  throw new ServiceError('invalid_request', `tts_variant: the voice ${display_name} has ${known}`)
}

/** `en` asks for any English, `en-GB` for just that. */
const findLanguage = ({ display_name, languages }: OfferedVoice, wanted: string | null): string => {
  if (wanted === null) return languages[0]!
  const tag = wanted.toLowerCase()
  const spoken = languages.map((language) => language.toLowerCase())
  const exact = spoken.indexOf(tag)
  const near = exact >= 0 ? exact : spoken.findIndex((language) => language.startsWith(`${tag}-`))
  const found = languages[near]
  if (found !== undefined) return found
  throw new ServiceError('invalid_request', `language: the voice ${display_name} speaks ${languages.join(', ')}`)
}
