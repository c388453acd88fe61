import { contentType } from '@parlance/audio'
import { openaiSpeechRequestSchema } from '@parlance/contracts'
import type { RequestHandler } from 'express'
import { principalOf } from '../authentication/require-key.js'
import { requireAcceptable } from '../http/acceptable.js'
import { readJsonBody } from '../http/json-body.js'
import { parseRequest } from '../http/parsed-request.js'
import { respondWithAudio } from '../synthesis/audio-responder.js'
import { respondWithOpenaiEvents } from '../synthesis/event-responder.js'
import { refuseLongText } from '../synthesis/refuse-long-text.js'
import type { Speak } from '../synthesis/speech.js'
import { fromOpenaiRequest } from '../synthesis/synthesis-request.js'
import { answerTypes } from './tts.js'

/**
 * `POST /v1/audio/speech`, as OpenAI has it. Its clients always say that they accept bytes, also where they ask for
 * events, so what the body asks for is not held against that.
 */
export const createAudioSpeechHandler =
  (speak: Speak): RequestHandler =>
  async (req, res) => {
    const body = await readJsonBody(req)
    refuseLongText(body, 'input')
    const request = parseRequest(openaiSpeechRequestSchema, body)
    const synthesis = fromOpenaiRequest(request, principalOf(req).workspace_id)
    const asEvents = request.stream_format === 'sse'
    if (!asEvents) requireAcceptable(req, answerTypes('audio', contentType(synthesis.output.format)))
    await speak(req, res, synthesis, asEvents ? respondWithOpenaiEvents : respondWithAudio)
  }
