import { resolveOutput } from '@parlance/audio'
import type { VoicePrices } from '@parlance/clients/speech'
import {
  chosenLanguage,
  type RoutedVoice,
  ServiceError,
  type StreamGrant,
  type StreamStart,
  type SynthesisRequest,
} from '@parlance/contracts'
import { streamedFormats } from './audio-frame.js'

/**
 * The request of a `start` to the speech service, except for the text. Throws `invalid_request` for a voice that the token
 * does not allow, and `unsupported_format` for an output that streams do not have.
 */
export const streamRequest = (grant: StreamGrant, start: StreamStart): SynthesisRequest => {
  const voice = start.voice_id ?? grant.voice_id
  if (voice === null) throw new ServiceError('invalid_request', 'voice_id: is required')
  if (grant.voice_id !== null && voice !== grant.voice_id) {
    throw new ServiceError('invalid_request', 'voice_id: the token was minted for another voice')
  }
  if (!streamedFormats.has(start.output.format)) {
    const possible = [...streamedFormats].join(', ')
    throw new ServiceError(
      'unsupported_format',
      `output.format: streams support ${possible}; POST /v1/tts supports the others`,
    )
  }
  return {
    workspace_id: grant.workspace_id,
    text: '',
    cuts: [],
    private: false,
    voice,
    variant: start.tts_variant ?? null,
    language: start.language ?? null,
    output: resolveOutput(start.output),
    speed: start.speed,
    volume: start.volume,
    // The times of words show what was spoken when a context is cancelled.
    alignment: [...new Set(['word' as const, ...start.alignment])],
  }
}

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
