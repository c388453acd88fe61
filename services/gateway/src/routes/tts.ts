import { contentType } from '@parlance/audio'
import type { TtsRequest } from '@parlance/contracts'
import { ttsRequestSchema } from '@parlance/contracts'
import type { RequestHandler } from 'express'
import { principalOf } from '../authentication/require-key.js'
import { requireAcceptable } from '../http/acceptable.js'
import { readJsonBody } from '../http/json-body.js'
import { parseRequest } from '../http/parsed-request.js'
import type { Applies } from '../idempotency/idempotent.js'
import { respondWithAudio } from '../synthesis/audio-responder.js'
import { respondWithEvents } from '../synthesis/event-responder.js'
import { respondWithJson } from '../synthesis/json-responder.js'
import { refuseLongText } from '../synthesis/refuse-long-text.js'
import type { Speak, SpeechResponder } from '../synthesis/speech.js'
import { fromTtsRequest } from '../synthesis/synthesis-request.js'

const responders: Record<TtsRequest['response_mode'], SpeechResponder> = {
  audio: respondWithAudio,
  json: respondWithJson,
  sse: respondWithEvents,
}

/** `POST /v1/tts` */
export const createTtsHandler =
  (speak: Speak): RequestHandler =>
  async (req, res) => {
    const body = await readJsonBody(req)
    refuseLongText(body, 'text')
    const request = parseRequest(ttsRequestSchema, body)
    const synthesis = fromTtsRequest(request, principalOf(req).workspace_id)
    requireAcceptable(req, answerTypes(request.response_mode, contentType(synthesis.output.format)))
    await speak(req, res, synthesis, responders[request.response_mode])
  }

/** Streamed speech cannot be kept and given again; in one piece it can. */
export const answersJson: Applies = async (req) => {
  const body = await readJsonBody(req)
  return typeof body === 'object' && body !== null && 'response_mode' in body && body.response_mode === 'json'
}

/** The media types that a caller may name in `Accept` for the answer it asked for in the body, the true one first. */
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
