import { contentType } from '@parlance/audio'
import { openaiSpeechRequestSchema } from '@parlance/contracts'
import { requireAcceptable } from '../../http/acceptable.js'
import { ignoredHeader } from '../../http/json-response.js'
import { speechErrors } from '../../openapi/error-codes.js'
import {
  appliedSpeed,
  audioBytes,
  ignoredNames,
  openaiSpeechEvent,
  openaiSpeechRequest,
  speechHeaders,
} from '../../openapi/speech-schemas.js'
import { respondWithAudio, respondWithOpenaiEvents } from '../../synthesis/stream-responder.js'
import { fromOpenaiRequest, readSpeechBody } from '../../synthesis/synthesis-request.js'
import { apiKey, jsonBody, type Route } from '../route.js'
import { answerTypes } from './synthesize.js'

export const synthesizeAsOpenai: Route = {
  method: 'post',
  path: '/v1/audio/speech',
  authentication: apiKey('tts'),
  operationId: 'synthesizeAsOpenai',
  tag: 'Speech',
  summary: "Turn text into speech, with OpenAI's body",
  description:
    "For OpenAI's client libraries: set their base URL to this host's `/v1` and their key to a workspace key. Errors " +
    'carry an `error` object beside the five keys, since those libraries read nothing else.',
  request: {
    body: jsonBody(openaiSpeechRequest, {
      mp3: { value: { model: 'tts-1', voice: 'Ada', input: 'Hello, and welcome.' } },
    }),
  },
  responses: {
    200: {
      description: 'The speech.',
      headers: { ...speechHeaders, 'x-speed-applied': appliedSpeed, 'x-parlance-ignored': ignoredNames },
      content: {
        'audio/mpeg': audioBytes,
        'audio/wav': audioBytes,
        'audio/pcm': audioBytes,
        'audio/ogg': audioBytes,
        'audio/aac': audioBytes,
        'audio/flac': audioBytes,
        'text/event-stream': { schema: openaiSpeechEvent },
      },
    },
  },
  errors: [...speechErrors, 'not_acceptable'],

  createHandler:
    ({ speak }) =>
    async (req, res) => {
      const request = await readSpeechBody(req, openaiSpeechRequestSchema, 'input')
      const synthesis = fromOpenaiRequest(request)
      const ignored = ignoredHeader(request.instructions === undefined ? [] : ['instructions'])
      res.addHeaders(['x-speed-applied', String(synthesis.speed), ...ignored])
      const asEvents = request.stream_format === 'sse'
      // OpenAI's clients send an Accept header for bytes in every request, also when they request events.
      const isAac = request.response_format === 'aac'
      const type = isAac ? 'audio/aac' : contentType(synthesis.output.format)
      if (!asEvents) requireAcceptable(req, answerTypes('audio', type))
      const respond = asEvents ? respondWithOpenaiEvents : respondWithAudio
      // Its module takes a tenth of a second to load, and few requests need it.
      await speak(req, res, synthesis, isAac ? (await import('../../synthesis/aac.js')).inAac(respond) : respond)
    },
}
