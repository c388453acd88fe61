import type { VoicePrices } from '@parlance/clients/speech'
import { ServiceError, type SynthesisRequest } from '@parlance/contracts'

/**
 * Resolves, with the language in which the voice speaks, when it has the variant and offers the format. Rejects with
 * `voice_not_found` for a voice or a variant that does not exist, with `unsupported_format`, and as look-ups do.
 */
export const createVoiceCheck =
  (findVoice: VoicePrices) =>
  async (request: SynthesisRequest, requestId: string): Promise<string> => {
    const { formats, language } = await findVoice(request, { requestId }).catch((error: unknown) => {
      throw error instanceof ServiceError && error.code === 'invalid_request'
        ? new ServiceError('voice_not_found', error.detail)
        : error
    })
    const { format } = request.output
    if (formats.includes(format)) return request.language ?? language
    throw new ServiceError('unsupported_format', `output.format: ${format} is not among ${formats.join(', ')}`)
  }
