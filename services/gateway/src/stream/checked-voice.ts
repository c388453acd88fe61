import { ServiceError, type SynthesisRequest } from '@parlance/contracts'
import type { VoicePrices } from '@parlance/speech-client'

/**
 * Resolves when the voice has the variant and offers the format. Rejects with `voice_not_found` for a voice or a variant
 * that does not exist, with `unsupported_format`, and as look-ups do.
 */
export const createVoiceCheck =
  (findVoice: VoicePrices) =>
  async (request: SynthesisRequest, requestId: string): Promise<void> => {
    const { formats } = await findVoice(request, { requestId }).catch((error: unknown) => {
      throw error instanceof ServiceError && error.code === 'invalid_request'
        ? new ServiceError('voice_not_found', error.detail)
        : error
    })
    const { format } = request.output
    if (formats.includes(format)) return
    throw new ServiceError('unsupported_format', `output.format: ${format} is not among ${formats.join(', ')}`)
  }
