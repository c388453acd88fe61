import { resolveOutput } from '@parlance/audio'
import {
  type Alignment,
  type AlignmentKind,
  maxTextCodePoints,
  type OpenaiSpeechRequest,
  ServiceError,
  type SynthesisRequest,
  type TtsRequest,
} from '@parlance/contracts'
import { countCodePoints } from '@parlance/speech'

/** `alignment` with only the requested kinds; the others are empty arrays. */
export const requestedAlignment = (
  { words, phonemes, visemes }: Alignment,
  requested: readonly AlignmentKind[],
): Alignment => ({
  words: requested.includes('word') ? words : [],
  phonemes: requested.includes('phoneme') ? phonemes : [],
  visemes: requested.includes('viseme') ? visemes : [],
})

/**
 * Throws `text_too_long`. Called before the body is validated, so that a long text is refused with this code even if the body
 * has other errors.
 */
export const refuseLongText = (body: unknown, field: 'text' | 'input'): void => {
  const text = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined
  if (typeof text !== 'string' || text.length <= maxTextCodePoints) return
  if (text.length > 2 * maxTextCodePoints || countCodePoints(text) > maxTextCodePoints) {
    throw new ServiceError('text_too_long', `${field}: at most ${maxTextCodePoints} characters can be spoken at once.`)
  }
}

/** The request to the speech service for a body of `POST /v1/tts`. */
export const fromTtsRequest = (request: TtsRequest, workspaceId: string): SynthesisRequest => {
  if (request.response_mode === 'audio' && request.alignment.length > 0) {
    throw new ServiceError(
      'alignment_requires_json',
      'alignment: not possible in an audio response; use response_mode "json" or "sse".',
    )
  }
  return {
    workspace_id: workspaceId,
    text: request.text,
    cuts: [],
    voice: request.voice_id,
    variant: request.tts_variant ?? null,
    language: request.language ?? null,
    output: resolveOutput(request.output),
    speed: request.speed,
    volume: request.volume,
    alignment: [...new Set(request.alignment)],
    private: false,
  }
}

/** OpenAI's model names match no local model. They select the voice's first variant. */
export const openaiSpeechModels: readonly string[] = ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts']

/**
 * The API's name for each format of OpenAI. Its `pcm` is 24 kHz, signed 16 bits, little endian. AAC is made of PCM by the
 * gateway.
 */
const openaiFormats = {
  mp3: 'mp3',
  opus: 'opus',
  aac: 'pcm_s16le',
  flac: 'flac',
  wav: 'wav',
  pcm: 'pcm_s16le',
} as const

/** The request to the speech service for a body of `POST /v1/audio/speech`, whose `instructions` are ignored. */
export const fromOpenaiRequest = (request: OpenaiSpeechRequest, workspaceId: string): SynthesisRequest => {
  return {
    workspace_id: workspaceId,
    text: request.input,
    cuts: [],
    voice: typeof request.voice === 'string' ? request.voice : request.voice.id,
    variant: openaiSpeechModels.includes(request.model) ? null : request.model,
    language: null,
    output: resolveOutput({ format: openaiFormats[request.response_format] }),
    // The range of the engines.
    speed: Math.min(2, Math.max(0.5, request.speed)),
    volume: 1,
    alignment: [],
    private: false,
  }
}
