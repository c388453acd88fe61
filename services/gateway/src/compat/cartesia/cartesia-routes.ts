/** Cartesia's HTTP interface under `/v1/compat/cartesia`, and its WebSocket, on which text is spoken while it is being written. */
import { errorBody, streamLimits, type Voice } from '@parlance/contracts'
import { ignoredHeader, respond } from '../../http/json-response.js'
import { allVoices, voiceById } from '../../routes/catalog/listed-models.js'
import { apiKey, type Route, undocumented } from '../../routes/route.js'
import { createOpenSpeech } from '../../stream/speech-streams.js'
import { createStreamUpgrade } from '../../stream/stream-upgrade.js'
import type { Speech, SpeechResponder } from '../../synthesis/speech.js'
import { base64, createEventResponder, respondWithAudio } from '../../synthesis/stream-responder.js'
import { readSpeechBody } from '../../synthesis/synthesis-request.js'
import type { SocketRoute } from '../../websocket/upgrade.js'
import { segmentsOf } from '../character-times.js'
import { createIdentify, type VendorSpeechOptions } from '../vendor-clients.js'
import {
  createCartesiaDialect,
  doneEvent,
  errorEvent,
  floatWavHeader,
  type Generation,
  generationSchema,
  ignoredOf,
  outputOf,
  requestOf,
  timestampEvents,
  toFloat,
} from './cartesia-messages.js'

const cartesiaPath = '/v1/compat/cartesia'

/** A speech of PCM whose audio is delivered as 32-bit floating point, in a WAV or without a container. */
const asFloat = (speech: Speech, isWav: boolean): Speech => {
  let header = isWav ? floatWavHeader(speech.request.output.sample_rate) : new Uint8Array(0)
  return {
    ...speech,
    type: isWav ? 'audio/wav' : 'audio/pcm',
    speak: (sink, options) =>
      speech.speak((chunk) => {
        if (chunk.event !== 'audio') return sink(chunk)
        const data = Buffer.concat([header, toFloat(chunk.data)])
        header = new Uint8Array(0)
        return sink({ ...chunk, data })
      }, options),
  }
}

const inOutput =
  (respondWith: SpeechResponder, { isFloat, isWav }: ReturnType<typeof outputOf>): SpeechResponder =>
  (req, res, speech) =>
    respondWith(req, res, isFloat ? asFloat(speech, isWav) : speech)

/** Server-sent events, in the form of those of the WebSocket. */
const respondWithEventsOf = ({ context_id }: Generation): SpeechResponder => {
  const context = context_id == null ? {} : { context_id }
  return createEventResponder({
    errorData: (failure, req) => errorEvent(errorBody(failure, req.id), context),
    toEvents(chunk, speech) {
      switch (chunk.event) {
        case 'audio': {
          const data = base64(chunk.data)
          return [['chunk', { type: 'chunk', data, done: false, status_code: 206, step_time: 0, ...context }]]
        }
        case 'alignment':
          return timestampEvents(segmentsOf(speech)[chunk.segment] ?? '', chunk, context).map((event) => [
            event.type,
            event,
          ])
        case 'done':
          return [['done', doneEvent(context)]]
        default:
          return []
      }
    },
  })
}

const speechRoute = (path: string, respondWith: (sent: Generation) => SpeechResponder): Route =>
  undocumented({
    method: 'post',
    path: `${cartesiaPath}${path}`,
    authentication: apiKey('tts'),
    createHandler:
      ({ speak }) =>
      async (req, res) => {
        const sent = await readSpeechBody(req, generationSchema, 'transcript')
        const output = outputOf(sent.output_format)
        res.addHeaders(ignoredHeader(ignoredOf(sent)))
        const request = { ...requestOf(sent), text: sent.transcript, output: output.output }
        await speak(req, res, request, inOutput(respondWith(sent), output))
      },
  })

const voiceOf = ({ id, display_name, description, languages, gender, created_at }: Voice) => ({
  id,
  name: display_name,
  tagline: '',
  description,
  language: languages[0]!.split('-', 1)[0],
  locales: languages.map((code, index) => ({ locale: code, is_native: index === 0 })),
  gender: { female: 'feminine', male: 'masculine', neutral: 'gender_neutral' }[gender],
  created_at,
  access: 'public',
  visibility: 'all',
  is_owner: false,
  is_public: true,
})

const number = (value: unknown): number | undefined => (/^\d+$/.test(String(value)) ? Number(value) : undefined)

const listing = (path: string, createHandler: Route['createHandler']): Route =>
  undocumented({ method: 'get', path: `${cartesiaPath}${path}`, authentication: apiKey(), createHandler })

export const cartesiaRoutes: readonly Route[] = [
  speechRoute('/tts/bytes', () => respondWithAudio),
  speechRoute('/tts/sse', respondWithEventsOf),
  listing('/voices', ({ catalog }) =>
    respond(200, async ({ context, query: { starting_after, limit } }) => {
      const voices = await allVoices(catalog, { context })
      const begin = starting_after === undefined ? 0 : voices.findIndex(({ id }) => id === starting_after) + 1
      const data = voices.slice(begin, begin + (number(limit) ?? voices.length)).map(voiceOf)
      const has_more = begin + data.length < voices.length
      return { data, has_more, next_page: has_more ? data.at(-1)?.id : null }
    }),
  ),
  listing('/voices/:voice', ({ catalog }) =>
    respond(200, async ({ context, params }) => voiceOf(await voiceById(catalog, String(params.voice), { context }))),
  ),
]

/** Cartesia closes a connection that is idle for 5 minutes; ours end after at most 3. */
const inactivityTimeoutSeconds = 180

export const createCartesiaSocket = (options: VendorSpeechOptions): SocketRoute => {
  const openSpeech = createOpenSpeech(options)
  return createStreamUpgrade({
    ...options,
    path: `${cartesiaPath}/tts/websocket`,
    maxFrameBytes: streamLimits.frame_bytes,
    identify: createIdentify(options),
    readQuery: () => ({ inactivity_timeout: inactivityTimeoutSeconds }),
    openConnection: (stream) => openSpeech(stream, createCartesiaDialect()),
  })
}
