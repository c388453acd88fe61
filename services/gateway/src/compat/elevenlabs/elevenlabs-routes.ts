/** ElevenLabs' HTTP interface under `/v1/compat/elevenlabs`, and its WebSockets, on which text is spoken while it is being written. */
import { maxTextCodePoints, streamLimits, type Voice } from '@parlance/contracts'
import { ignoredHeader, respond } from '../../http/json-response.js'
import { parseRequest } from '../../http/parsed-request.js'
import { allVoices, voiceById } from '../../routes/catalog/listed-models.js'
import { apiKey, type Route, undocumented } from '../../routes/route.js'
import { createOpenSpeech } from '../../stream/speech-streams.js'
import { createStreamUpgrade } from '../../stream/stream-upgrade.js'
import { createJsonResponder } from '../../synthesis/json-responder.js'
import type { SpeechResponder } from '../../synthesis/speech.js'
import { base64, respondInParts, respondWithAudio } from '../../synthesis/stream-responder.js'
import { readSpeechBody } from '../../synthesis/synthesis-request.js'
import type { SocketRoute } from '../../websocket/upgrade.js'
import { characterTimes, segmentsOf, type TimedCharacter, takeBefore } from '../character-times.js'
import { createIdentify, type VendorSpeechOptions } from '../vendor-clients.js'
import {
  alignmentInSeconds,
  createElevenlabsDialect,
  ignoredOfSpeech,
  outputNamed,
  speechBodySchema,
  speechQuerySchema,
  streamInputQuerySchema,
  variantOf,
} from './elevenlabs-messages.js'

const elevenlabsPath = '/v1/compat/elevenlabs'

/** Both alignments are of the text as it was sent: how it was read aloud is not known. */
const bothAlignments = (times: readonly TimedCharacter[]) => {
  const alignment = alignmentInSeconds(times)
  return { alignment, normalized_alignment: alignment }
}

const respondWithTimestamps = createJsonResponder((_req, speech, { segments }) => {
  const texts = segmentsOf(speech)
  let endMs = 0
  const times = segments.flatMap(({ segment, words }) => {
    const ofSegment = characterTimes(texts[segment] ?? '', words, endMs)
    endMs = ofSegment.at(-1)?.endMs ?? endMs
    return ofSegment
  })
  return bothAlignments(times)
})

/** A line of JSON for each chunk of audio, with the characters that begin in it. */
const streamWithTimestamps: SpeechResponder = (req, res, speech) => {
  const texts = segmentsOf(speech)
  const times: TimedCharacter[] = []
  let endMs = 0
  const line = (data: Uint8Array, untilMs: number): string =>
    `${JSON.stringify({ audio_base64: base64(data), ...bothAlignments(takeBefore(times, untilMs)) })}\n`
  return respondInParts(req, res, speech, {
    ...{ type: 'application/json', alignsFirst: true },
    toPart(chunk) {
      switch (chunk.event) {
        case 'alignment':
          times.push(...characterTimes(texts[chunk.segment] ?? '', chunk.words, endMs))
          return ''
        case 'audio':
          endMs = chunk.start_ms + chunk.duration_ms
          return line(chunk.data, endMs)
        case 'done':
          return times.length > 0 ? line(new Uint8Array(0), Number.POSITIVE_INFINITY) : ''
        default:
          return ''
      }
    },
  })
}

const speechRoute = (suffix: string, respondWith: SpeechResponder): Route =>
  undocumented({
    method: 'post',
    path: `${elevenlabsPath}/v1/text-to-speech/:voice${suffix}`,
    authentication: apiKey('tts'),
    createHandler:
      ({ speak }) =>
      async (req, res) => {
        const body = await readSpeechBody(req, speechBodySchema, 'text')
        const query = parseRequest(speechQuerySchema, req.query)
        res.addHeaders(ignoredHeader(ignoredOfSpeech(query, body)))
        const request = {
          text: body.text,
          voice: String(req.params.voice),
          variant: variantOf(body.model_id),
          language: body.language_code ?? null,
          output: outputNamed(query.output_format),
          speed: body.voice_settings?.speed ?? 1,
          volume: 1,
          alignment: ['word' as const],
        }
        await speak(req, res, request, respondWith)
      },
  })

const voiceOf = ({ id, display_name, description, gender, languages, preview_url, variants }: Voice) => ({
  voice_id: id,
  name: display_name,
  category: 'premade',
  description,
  labels: { gender, language: languages[0] },
  preview_url,
  available_for_tiers: [],
  high_quality_base_model_ids: variants.map(({ id }) => id),
  verified_languages: languages.map((language) => ({ language, model_id: variants[0]!.id })),
  settings: { stability: 0.5, similarity_boost: 0.75, style: 0, use_speaker_boost: false, speed: 1 },
})

const listing = (path: string, createHandler: Route['createHandler']): Route =>
  undocumented({ method: 'get', path: `${elevenlabsPath}${path}`, authentication: apiKey(), createHandler })

export const elevenlabsRoutes: readonly Route[] = [
  speechRoute('', respondWithAudio),
  speechRoute('/stream', respondWithAudio),
  speechRoute('/with-timestamps', respondWithTimestamps),
  speechRoute('/stream/with-timestamps', streamWithTimestamps),
  listing('/v1/voices', ({ catalog }) =>
    respond(200, async ({ context }) => ({ voices: (await allVoices(catalog, { context })).map(voiceOf) })),
  ),
  listing('/v2/voices', ({ catalog }) =>
    respond(200, async ({ context }) => {
      const voices = (await allVoices(catalog, { context })).map(voiceOf)
      return { voices, has_more: false, total_count: voices.length, next_page_token: null }
    }),
  ),
  listing('/v1/voices/:voice', ({ catalog }) =>
    respond(200, async ({ context, params }) => voiceOf(await voiceById(catalog, String(params.voice), { context }))),
  ),
  listing('/v1/models', ({ catalog }) =>
    respond(200, async ({ context }) => {
      const voices = await allVoices(catalog, { context })
      const languages = new Map<string, Set<string>>()
      for (const voice of voices) {
        for (const { id } of voice.variants) {
          languages.set(id, new Set([...(languages.get(id) ?? []), ...voice.languages]))
        }
      }
      return [...languages].map(([model_id, ofModel]) => ({
        model_id,
        name: model_id,
        can_do_text_to_speech: true,
        can_do_voice_conversion: false,
        can_be_finetuned: false,
        can_use_style: false,
        can_use_speaker_boost: false,
        languages: [...ofModel].map((language_id) => ({ language_id, name: language_id })),
        maximum_text_length_per_request: maxTextCodePoints,
      }))
    }),
  ),
]

export const createElevenlabsSockets = (options: VendorSpeechOptions): SocketRoute[] => {
  const openSpeech = createOpenSpeech(options)
  const socketAt = (name: string, isMulti: boolean) =>
    createStreamUpgrade({
      ...options,
      path: `${elevenlabsPath}/v1/text-to-speech/:voice/${name}`,
      maxFrameBytes: streamLimits.frame_bytes,
      identify: createIdentify(options),
      readQuery(given, { voice = '' }) {
        const query = parseRequest(streamInputQuerySchema, Object.fromEntries(given))
        const { inactivity_timeout, output_format } = query
        return { inactivity_timeout, voiceId: decodeURIComponent(voice), query, output: outputNamed(output_format) }
      },
      openConnection: (stream) => openSpeech(stream, createElevenlabsDialect({ ...stream.query, isMulti })),
    })
  return [socketAt('stream-input', false), socketAt('multi-stream-input', true)]
}
