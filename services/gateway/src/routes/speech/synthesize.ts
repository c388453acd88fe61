import { contentType } from '@parlance/audio'
import { type TtsRequest, ttsRequestSchema } from '@parlance/contracts'
import { requireAcceptable } from '../../http/acceptable.js'
import { readJsonBody } from '../../http/json-body.js'
import type { Applies } from '../../idempotency/idempotent.js'
import { speechErrors } from '../../openapi/error-codes.js'
import {
  audioBytes,
  exampleVoiceId,
  speechEvent,
  speechHeaders,
  ttsJsonResponse,
  ttsRequest,
} from '../../openapi/speech-schemas.js'
import { respondWithJson } from '../../synthesis/json-responder.js'
import type { SpeechResponder } from '../../synthesis/speech.js'
import { respondWithAudio, respondWithEvents } from '../../synthesis/stream-responder.js'
import { fromTtsRequest, readSpeechBody } from '../../synthesis/synthesis-request.js'
import { apiKey, jsonBody, type Route } from '../route.js'

/** The media types that `Accept` may name for the response mode of a request. The first is that of the response. */
export const answerTypes = (mode: TtsRequest['response_mode'], audioType: string): string[] => {
  switch (mode) {
    case 'audio':
      return [audioType.split(';')[0] as string, 'application/octet-stream']
    case 'json':
      return ['application/json']
    case 'sse':
      return ['text/event-stream']
  }
}

const responders: Record<TtsRequest['response_mode'], SpeechResponder> = {
  audio: respondWithAudio,
  json: respondWithJson,
  sse: respondWithEvents,
}

/** Whether the response is complete when it is sent. Streamed speech is not, so it cannot be stored and replayed. */
const answersJson: Applies = async (req) => {
  const body = await readJsonBody(req)
  return typeof body === 'object' && body !== null && 'response_mode' in body && body.response_mode === 'json'
}

const lipSync = {
  text: 'Hello, and welcome.',
  voice_id: exampleVoiceId,
  output: { format: 'pcm_s16le', sample_rate: 24000 },
  response_mode: 'sse',
  alignment: ['word', 'viseme'],
}

export const synthesize: Route = {
  method: 'post',
  path: '/v1/tts',
  authentication: apiKey('tts'),
  idempotency: {
    applies: answersJson,
    when: 'For `response_mode` `json`; streamed speech cannot be replayed. ',
  },
  operationId: 'synthesize',
  tag: 'Speech',
  summary: 'Turn text into speech',
  description:
    'The first byte is sent as soon as there is audio. Hanging up stops the synthesis. A failure after the first byte ' +
    'cuts the chunked body, or is an `error` event. Credit for all of the text is reserved first. A ' +
    'speech that fails after the first byte is charged for the segments that were sent completely. When the client hangs up, it ' +
    'is also charged for the text of the next segment, up to the end of the word that the sent audio reached. With `response_mode` `json`, ' +
    'hanging up before the answer costs nothing.',
  request: {
    body: jsonBody(ttsRequest, {
      mp3: { summary: 'An MP3', value: { text: 'Hello, and welcome.', voice_id: exampleVoiceId } },
      lipSync: { summary: 'PCM with word and viseme times', value: lipSync },
    }),
  },
  responses: {
    200: {
      description: 'The speech, in the form that `response_mode` chose.',
      headers: speechHeaders,
      content: {
        'audio/mpeg': audioBytes,
        'audio/wav': audioBytes,
        'audio/pcm': audioBytes,
        'audio/ogg': audioBytes,
        'audio/flac': audioBytes,
        'audio/basic': audioBytes,
        'audio/x-alaw-basic': audioBytes,
        'application/json': { schema: ttsJsonResponse },
        'text/event-stream': { schema: speechEvent },
      },
    },
  },
  errors: [...speechErrors, 'alignment_requires_json'],

  createHandler:
    ({ speak }) =>
    async (req, res) => {
      const request = await readSpeechBody(req, ttsRequestSchema, 'text')
      const synthesis = fromTtsRequest(request)
      requireAcceptable(req, answerTypes(request.response_mode, contentType(synthesis.output.format)))
      await speak(req, res, synthesis, responders[request.response_mode])
    },
}
