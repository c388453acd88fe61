import { ServiceError, transcriptionFieldsSchema } from '@parlance/contracts'
import { z } from 'zod'
import { principalOf } from '../../authentication/require-key.js'
import { hangUpSignal } from '../../http/connection-end.js'
import { formContentOf, readForm } from '../../http/multipart-form.js'
import { parseRequest } from '../../http/parsed-request.js'
import { withoutIdleLimit } from '../../http/streamed-body.js'
import type { Applies } from '../../idempotency/idempotent.js'
import {
  transcription,
  transcriptionEvent,
  transcriptionForm,
  transcriptionHeaders,
  verboseTranscription,
} from '../../openapi/transcription-schemas.js'
import { isOpenaiTranscriptionModel } from '../../transcription/transcription.js'
import { respondWithTranscript, respondWithTranscriptEvents } from '../../transcription/transcription-responders.js'
import { apiKey, type Route } from '../route.js'

const text = { schema: z.string() }

const notStreamed: Applies = async (req) => (await readForm(req)).fields.stream !== 'true'

export const transcribe: Route = {
  method: 'post',
  path: '/v1/audio/transcriptions',
  authentication: apiKey('tts'),
  idempotency: {
    applies: notStreamed,
    contentOf: formContentOf,
    when: 'Unless `stream` is true: streamed text cannot be replayed. ',
  },
  operationId: 'transcribe',
  tag: 'Speech',
  summary: 'Turn a recording into text',
  description:
    "For OpenAI's client libraries: it accepts their form. The audio is billed by the second, rounded up. Credit for all of it " +
    'is reserved before it is recognized. A transcription that fails costs nothing, except for the segments that were ' +
    'streamed. When the client hangs up, or the file turns out to be too long or broken, the decoded part is charged.',
  request: { body: { required: true, content: { 'multipart/form-data': { schema: transcriptionForm } } } },
  responses: {
    200: {
      description: 'The text, in the form that `response_format` chose.',
      headers: transcriptionHeaders,
      content: {
        'application/json': { schema: z.union([transcription, verboseTranscription]) },
        'text/plain': text,
        'application/x-subrip': text,
        'text/vtt': text,
        'text/event-stream': { schema: transcriptionEvent },
      },
    },
  },
  errors: [
    'insufficient_credit',
    'not_found',
    'unsupported_media_type',
    'upstream_error',
    'capacity_exhausted',
    'draining',
  ],

  createHandler:
    ({ runTranscription }) =>
    async (req, res) => {
      const { fields: sent, file } = await readForm(req)
      const fields = parseRequest(transcriptionFieldsSchema, sent)
      if (file.length === 0) throw new ServiceError('invalid_request', 'file: The file is empty.')
      const signal = hangUpSignal(res)
      const request = {
        recognizer: isOpenaiTranscriptionModel(fields.model) ? null : fields.model,
        language: fields.language ?? null,
      }
      const task = { principal: principalOf(req), file, request, context: req.context, signal }
      const listener = fields.stream
        ? respondWithTranscriptEvents(req, res, fields, signal)
        : respondWithTranscript(req, res, fields)
      await withoutIdleLimit(req.socket, () => runTranscription(task, listener))
    },
}
