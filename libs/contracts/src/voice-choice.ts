/** Chooses the variant and the language of a voice for a request. */
import { spokenLanguage } from './language.js'
import { ServiceError } from './service-error.js'

interface NamedVoice {
  readonly display_name: string
}

interface VoiceWithVariants<Variant extends { readonly id: string }> extends NamedVoice {
  readonly variants: readonly Variant[]
}

interface VoiceWithLanguages extends NamedVoice {
  /** BCP 47 tags, the main one first. */
  readonly languages: readonly string[]
}

/** Returns a text such as `voice Ada has standard, fast`, for errors about a variant that a voice does not have. */
export const listVariants = ({ display_name, variants }: VoiceWithVariants<{ readonly id: string }>): string =>
  `voice ${display_name} has ${variants.map(({ id }) => id).join(', ')}`

/** Returns a text such as `voice Ada speaks en-GB, en-US`, for errors about a language that a voice does not speak. */
export const listLanguages = ({ display_name, languages }: VoiceWithLanguages): string =>
  `voice ${display_name} speaks ${languages.join(', ')}`

/** Returns the variant with the id, the first one for null. Undefined where the voice has no such variant. */
export const findVariant = <Variant extends { readonly id: string }>(
  { variants }: Pick<VoiceWithVariants<Variant>, 'variants'>,
  wanted: string | null,
): Variant | undefined => (wanted === null ? variants[0] : variants.find(({ id }) => id === wanted))

/**
 * Returns the variant that a request chooses by its field `field`. Throws `invalid_request`, with the available variants,
 * where the voice has no such variant.
 */
export const chosenVariant = <Variant extends { readonly id: string }>(
  voice: VoiceWithVariants<Variant>,
  wanted: string | null,
  field = 'tts_variant',
): Variant => {
  const found = findVariant(voice, wanted)
  if (found !== undefined) return found
  throw new ServiceError('invalid_request', `${field}: the ${listVariants(voice)}`)
}

/**
 * Returns the voice's own tag for the language that a request chooses by its field `language`, the main one for null. Throws
 * `invalid_request`, with the available languages, where the voice does not speak it.
 */
export const chosenLanguage = (voice: VoiceWithLanguages, wanted: string | null): string => {
  const spoken = spokenLanguage(voice.languages, wanted)
  if (spoken !== undefined) return spoken
  throw new ServiceError('invalid_request', `language: the ${listLanguages(voice)}`)
}
