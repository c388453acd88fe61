/**
 * jambonz' custom text to speech: a request for a whole text, and a WebSocket on which text is spoken while it is being written.
 * https://docs.jambonz.org/guides/features/custom-tts-providers
 */
import { resolveOutput } from '@parlance/audio'
import {
  type ErrorBody,
  languageTagSchema,
  primaryLanguage,
  type StreamGrant,
  sampleRatesHz,
  streamLimits,
  ttsRequestSchema,
} from '@parlance/contracts'
import { z } from 'zod'
import { ignoredHeader } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { apiKey, noAuthentication, type Route, undocumented } from '../../routes/route.js'
import { createOpenSpeech } from '../../stream/speech-streams.js'
import type { StreamDialect } from '../../stream/stream-connection.js'
import { createStreamUpgrade } from '../../stream/stream-upgrade.js'
import { respondWithAudio } from '../../synthesis/stream-responder.js'
import { readSpeechBody } from '../../synthesis/synthesis-request.js'
import { standardCloseCode } from '../../websocket/close-codes.js'
import type { SocketRoute } from '../../websocket/upgrade.js'
import { refuseWithoutUpgrade } from '../../websocket/upgrade.js'
import { createSpeechTurns, rawAudioPayload } from '../speech-turns.js'
import { createIdentifyWithVoice, defaultVoice, tokenParameters, type VendorVoiceOptions } from '../vendor-clients.js'

const path = '/v1/compat/jambonz/tts'

/** Null for a voice that is not chosen, which jambonz may send as an empty text. */
const voice = z
  .string()
  .nullish()
  .transform((name) => name || null)
/** Without the region: an application of jambonz always sends a language, and its voice may speak that of another region. */
const language = languageTagSchema.nullish().transform((tag) => (tag == null ? null : primaryLanguage(tag)))

const bodySchema = z.looseObject({
  text: ttsRequestSchema.shape.text,
  type: z.literal('text', { error: 'must be "text"; SSML is not supported here' }).default('text'),
  voice,
  language,
})

const speakAsJambonz: Route['createHandler'] =
  ({ speak, catalog }) =>
  async (req, res) => {
    const { text, type: _type, voice, language, ...others } = await readSpeechBody(req, bodySchema, 'text')
    res.addHeaders(ignoredHeader(Object.keys(others)))
    const request = {
      ...{ text, language, variant: null, speed: 1, volume: 1, alignment: [] },
      voice: voice ?? (await defaultVoice(catalog.listVoices, language, req.context)),
      // The only format that jambonz plays while it arrives.
      output: resolveOutput({ format: 'mp3' }),
    }
    await speak(req, res, request, respondWithAudio)
  }

export const jambonzSpeechRoutes: readonly Route[] = [
  undocumented({ method: 'post', path, authentication: apiKey('tts'), createHandler: speakAsJambonz }),
  undocumented({ method: 'get', path, authentication: noAuthentication, createHandler: () => refuseWithoutUpgrade }),
]

const querySchema = z.looseObject({ voice, language, sampleRate: z.string().optional() })

interface JambonzQuery {
  /** Null for the best voice of the language. */
  readonly voice: string | null
  readonly language: string | null
  readonly sampleRateHz: number
  readonly ignored: readonly string[]
}

/** Throws `invalid_request`. */
export const readJambonzQuery = (query: URLSearchParams): JambonzQuery => {
  const { voice, language, sampleRate, ...others } = parseRequest(querySchema, Object.fromEntries(query))
  return {
    ...{ voice, language },
    // jambonz converts audio of another rate than its own.
    sampleRateHz: sampleRatesHz.pcm_s16le.find((rateHz) => String(rateHz) === sampleRate) ?? sampleRatesHz.pcm_s16le[0],
    ignored: Object.keys(others).filter((name) => !tokenParameters.includes(name)),
  }
}

const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stream'), text: z.string() }),
  z.object({ type: z.literal('flush') }),
  z.object({ type: z.literal('clear') }),
  z.object({ type: z.literal('keepalive') }),
  z.object({ type: z.literal('stop') }),
])

/** On both sockets. */
export const jambonzError = ({ code, detail, request_id, retryable }: ErrorBody) => ({
  ...{ type: 'error', error: detail },
  ...{ code, request_id, retryable },
})

/** The messages of one connection. */
export const createJambonzSpeech = (
  settings: Pick<JambonzQuery, 'language' | 'sampleRateHz'> & { readonly voice: string },
): StreamDialect => {
  const { voice, language, sampleRateHz } = settings
  const turns = createSpeechTurns({
    voice_id: voice,
    ...(language !== null && { language }),
    output: { format: 'pcm_s16le', sample_rate: sampleRateHz },
  })

  return {
    read(given) {
      const message = parseRequest(messageSchema, given)
      switch (message.type) {
        case 'stream':
          // The parts are whole words, without the blank that follows them.
          return message.text.trim() === '' ? [] : turns.speak(`${message.text} `)
        case 'flush':
          return turns.flush()
        case 'clear':
          return turns.clear()
        case 'keepalive':
          return [{ event: 'keepalive' }]
        case 'stop':
          return turns.close()
      }
    },

    write(message) {
      if (message.event === 'ready') {
        return [{ type: 'connect', data: { sample_rate: sampleRateHz, base64_encoding: false } }]
      }
      if (message.event !== 'error') {
        turns.follow(message)
        return []
      }
      if (message.context_id !== undefined) turns.fail(message)
      // Nothing is missing of a text without a word.
      return message.code === 'text_not_speakable' ? [] : [jambonzError(message)]
    },

    audioPayload: rawAudioPayload,
    endCode: turns.endCode,
    closeCode: standardCloseCode,
  }
}

/** jambonz keeps the socket open for a whole call, and sends nothing while no one speaks. */
const inactivityTimeoutSeconds = 180

export const createJambonzSpeechSocket = (options: VendorVoiceOptions): SocketRoute => {
  const openSpeech = createOpenSpeech(options)
  return createStreamUpgrade<StreamGrant, JambonzQuery & { readonly inactivity_timeout: number }>({
    ...options,
    path,
    maxFrameBytes: streamLimits.frame_bytes,
    responseHeaders: ({ ignored }) => ignoredHeader(ignored),
    identify: createIdentifyWithVoice(options, readJambonzQuery),
    readQuery: (query) => ({ ...readJambonzQuery(query), inactivity_timeout: inactivityTimeoutSeconds }),
    openConnection(stream) {
      const { query, grant } = stream
      return openSpeech(stream, createJambonzSpeech({ ...query, voice: query.voice ?? grant.voice_id ?? '' }))
    },
  })
}
