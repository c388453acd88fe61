import type { VoicePrices } from '@parlance/clients/speech'
import { chosenLanguage, type RoutedVoice, ServiceError, type SynthesisRequest } from '@parlance/contracts'

export interface CheckedVoice {
  readonly voice: RoutedVoice
  /** The voice's own tag for the requested language. */
  readonly language: string
}

/**
 * Resolves when the voice has the variant, speaks the language and offers the format.
 * Rejects with `voice_not_found` for a voice or a variant that does not exist, with `invalid_request` for a language that it
 * does not speak, with `unsupported_format`, and as look-ups do.
 */
export const createVoiceCheck =
  (findVoice: VoicePrices) =>
  async (request: SynthesisRequest, requestId: string): Promise<CheckedVoice> => {
    const { voice, variant } = await findVoice(request, { requestId }).catch((error: unknown) => {
      throw error instanceof ServiceError && error.code === 'invalid_request'
        ? new ServiceError('voice_not_found', error.detail)
        : error
    })
    const language = chosenLanguage(voice, request.language)
    const { format } = request.output
    if (variant.formats.includes(format)) return { voice, language }
    throw new ServiceError('unsupported_format', `output.format: ${format} is not among ${variant.formats.join(', ')}`)
  }
