/** Deepgram's `/v1/speak` as speech of ours, and its stream as messages of `/v1/tts/stream`. */
import { resolveOutput } from '@parlance/audio'
import { type AudioOutput, ServiceError } from '@parlance/contracts'
import { z } from 'zod'
import { parseRequest } from '../../http/parsed-request.js'
import type { StreamDialect } from '../../stream/stream-connection.js'
import { standardCloseCode } from '../../websocket/close-codes.js'
import { createSpeechTurns, rawAudioPayload } from '../speech-turns.js'
import { errorMessage } from './deepgram-listening.js'
import { encodings, type SpeechSettings } from './deepgram-query.js'

/** Deepgram's names of the form of the audio, by encoding and container. The first container is the default. */
const formats: Readonly<Record<string, Readonly<Record<string, AudioOutput['format'] | 'aac'>>>> = {
  mp3: { none: 'mp3' },
  linear16: { wav: 'wav', none: 'pcm_s16le' },
  mulaw: { none: 'ulaw' },
  alaw: { none: 'alaw' },
  opus: { ogg: 'opus' },
  flac: { none: 'flac' },
  aac: { none: 'aac' },
}

const unsupported = (detail: string) => new ServiceError('unsupported_format', detail)

/** The gateway encodes AAC from PCM. Throws `unsupported_format`. */
export const requestedOutput = (
  settings: SpeechSettings,
): { readonly output: AudioOutput; readonly isAac: boolean } => {
  const { encoding = 'mp3', container, sampleRateHz, bitRate } = settings
  const byContainer = formats[encoding]
  if (byContainer === undefined) {
    throw unsupported(`encoding: "${encoding}" is not supported here; there are: ${Object.keys(formats).join(', ')}`)
  }
  const [first = 'none'] = Object.keys(byContainer)
  const format = byContainer[container ?? first]
  if (format === undefined) {
    throw unsupported(
      `container: "${container}" is not supported with ${encoding}; there is: ${Object.keys(byContainer).join(', ')}`,
    )
  }
  const isAac = format === 'aac'
  const output = resolveOutput({
    format: isAac ? 'pcm_s16le' : format,
    sample_rate: isAac ? undefined : sampleRateHz,
    bit_rate: isAac ? undefined : bitRate,
  })
  return { output, isAac }
}

/** Throws `unsupported_format`. */
export const streamedOutput = ({ encoding = 'linear16', container = 'none', sampleRateHz }: SpeechSettings) => {
  const format = encodings[encoding as keyof typeof encodings]
  if (format === undefined || container !== 'none') {
    const possible = Object.keys(encodings).join(', ')
    throw unsupported(`encoding: a stream is ${possible}, without a container`)
  }
  const { sample_rate } = resolveOutput({
    format,
    sample_rate: sampleRateHz ?? (format === 'pcm_s16le' ? 24_000 : 8_000),
  })
  return { format, sample_rate }
}

const clientMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Speak'), text: z.string() }),
  z.object({ type: z.literal('Flush') }),
  z.object({ type: z.literal('Clear') }),
  z.object({ type: z.literal('Close') }),
])

/** The messages of one connection of `/v1/speak`. */
export const createDeepgramSpeech = (
  settings: Pick<SpeechSettings, 'voice' | 'speed' | 'ignored'> & {
    /** The voice for a client that names none of ours. */
    readonly voiceOfGrant: string | null
    readonly output: ReturnType<typeof streamedOutput>
  },
): StreamDialect => {
  const { output, speed, ignored } = settings
  const voice = settings.voice ?? settings.voiceOfGrant ?? ''
  const turns = createSpeechTurns({ voice_id: voice, output, speed })
  let sequenceId = 0

  const confirmed = (type: 'Flushed' | 'Cleared') => ({ type, sequence_id: sequenceId++ })

  return {
    read(given) {
      const message = parseRequest(clientMessageSchema, given)
      switch (message.type) {
        case 'Speak':
          return turns.speak(message.text)
        case 'Flush':
          return turns.flush()
        case 'Clear':
          return turns.clear()
        case 'Close':
          return turns.close()
      }
    },

    write(message) {
      if (message.event !== 'error') turns.follow(message)
      switch (message.event) {
        case 'ready': {
          const metadata = {
            type: 'Metadata',
            request_id: message.request_id,
            model_name: voice,
            model_version: 'latest',
            model_uuid: voice,
            additional_model_uuids: [],
          }
          if (ignored.length === 0) return [metadata]
          const description = `Without effect here: ${ignored.join(', ')}`
          return [metadata, { type: 'Warning', code: 'IGNORED', description }]
        }
        case 'flushed':
          return [confirmed('Flushed')]
        case 'cancelled':
          return [confirmed('Cleared')]
        case 'error': {
          const { code, detail, context_id } = message
          const warning = { type: 'Warning', code, description: detail }
          if (context_id === undefined) return [errorMessage(message)]
          const unanswered = turns.fail(message)
          if (unanswered === undefined) return [warning]
          const flushed = Array.from({ length: unanswered }, () => confirmed('Flushed'))
          // Text without a word is no failure of the connection.
          return [code === 'text_not_speakable' ? warning : errorMessage(message), ...flushed]
        }
        default:
          return []
      }
    },

    audioPayload: rawAudioPayload,
    endCode: turns.endCode,
    closeCode: standardCloseCode,
  }
}
