import type { RouteConfig } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import { idempotencyKey } from './idempotency-key-header.js'
import { errorResponses, keyAnswerHeaders, keyErrors, openaiErrorResponses } from './responses.js'
import { openaiSpeechEvent, openaiSpeechRequest, speechEvent, ttsJsonResponse, ttsRequest } from './speech-schemas.js'

/** Ada of the engine that comes along, so that the examples speak as they stand. */
const exampleVoiceId = 'c4e6ab920f89f01485102aae2f9b26d5'

const speechHeaders = keyAnswerHeaders({
  'x-characters-billed': z.string().meta({ description: 'Code points of the text.', example: '19' }),
  'x-audio-sample-rate': z.string().meta({ description: 'In Hz.', example: '24000' }),
  'server-timing': z.string().optional().meta({
    description:
      '`queue`: the wait for an engine; `ttfa`: from there to the first audio; both in ms. Left out of an answer that is given again.',
    example: 'queue;dur=0.1, ttfa;dur=4.2',
  }),
})

const bytes = { schema: { type: 'string', format: 'binary' } } as const

const speechErrors = [
  'invalid_request',
  'invalid_json',
  'unsupported_format',
  ...keyErrors,
  'capability_disabled',
  'insufficient_credit',
  'voice_not_found',
  'not_acceptable',
  'text_too_long',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'upstream_error',
  'capacity_exhausted',
  'draining',
  'upstream_timeout',
] as const

export const speechPaths: readonly RouteConfig[] = [
  {
    method: 'post',
    path: '/v1/tts',
    operationId: 'synthesize',
    tags: ['Speech'],
    summary: 'Turn text into speech',
    description:
      'The first byte is sent as soon as there is audio. Hanging up stops the synthesis. A failure after the first byte ' +
      'breaks the chunked body off, or is an `error` event. Credit for all of the text is reserved first. A ' +
      'speech that fails after the first byte is charged for the segments that were sent whole; one whose caller hangs up also ' +
      'for the text of the next segment up to the end of the word that the audio sent reached. With `response_mode` `json`, ' +
      'hanging up before the answer costs nothing.',
    security: [{ key: [] }],
    request: {
      headers: idempotencyKey('For `response_mode` `json`; streamed speech cannot be given again. '),
      body: {
        required: true,
        content: {
          'application/json': {
            schema: ttsRequest,
            examples: {
              mp3: { summary: 'An MP3', value: { text: 'Hello, and welcome.', voice_id: exampleVoiceId } },
              lipSync: {
                summary: 'PCM with word and viseme times',
                value: {
                  text: 'Hello, and welcome.',
                  voice_id: exampleVoiceId,
                  output: { format: 'pcm_s16le', sample_rate: 24000 },
                  response_mode: 'sse',
                  alignment: ['word', 'viseme'],
                },
              },
            },
          },
        },
      },
    },
    responses: {
      200: {
        description: 'The speech, in the form that `response_mode` chose.',
        headers: speechHeaders,
        content: {
          'audio/mpeg': bytes,
          'audio/wav': bytes,
          'audio/pcm': bytes,
          'audio/ogg': bytes,
          'audio/basic': bytes,
          'audio/x-alaw-basic': bytes,
          'application/json': { schema: ttsJsonResponse },
          'text/event-stream': { schema: speechEvent },
        },
      },
      ...errorResponses('alignment_requires_json', 'idempotency_conflict'),
      ...errorResponses(...speechErrors),
    },
  },
  {
    method: 'post',
    path: '/v1/audio/speech',
    operationId: 'synthesizeAsOpenai',
    tags: ['Speech'],
    summary: "Turn text into speech, with OpenAI's body",
    description:
      "For OpenAI's client libraries: set their base URL to this host's `/v1` and their key to a workspace key. Errors " +
      'carry an `error` object beside the five keys, since those libraries read nothing else.',
    security: [{ key: [] }],
    request: {
      body: {
        required: true,
        content: {
          'application/json': {
            schema: openaiSpeechRequest,
            examples: { mp3: { value: { model: 'tts-1', voice: 'Ada', input: 'Hello, and welcome.' } } },
          },
        },
      },
    },
    responses: {
      200: {
        description: 'The speech.',
        headers: speechHeaders,
        content: {
          'audio/mpeg': bytes,
          'audio/wav': bytes,
          'audio/pcm': bytes,
          'audio/ogg': bytes,
          'text/event-stream': { schema: openaiSpeechEvent },
        },
      },
      ...openaiErrorResponses(...speechErrors),
    },
  },
]
