import type { ServiceError, SynthesisChunk } from '@parlance/contracts'
import type { Request, Response } from 'express'
import { errorBodyFor } from '../http/error-response.js'
import { printEvent, writePart } from '../http/streamed-body.js'
import { createPace, type Speech, type SpeechResponder, type StartedChunk, speechHeaders } from './speech.js'
import { requestedAlignment } from './synthesis-request.js'

interface PartsOptions {
  /** The media type of the body. Default: that of the audio. */
  readonly type?: string
  /** Whether the audio of a segment follows its alignment. */
  readonly alignsFirst?: boolean
  /** The part of the body for a chunk; an empty one is not sent. */
  toPart(chunk: SynthesisChunk): Uint8Array | string
}

/** Sends the parts of a body while the speech is made. */
export const respondInParts = async (
  req: Request,
  res: Response,
  speech: Speech,
  { type, alignsFirst = false, toPart }: PartsOptions,
): Promise<void> => {
  const pace = createPace(speech)
  let started: StartedChunk | undefined
  await speech.speak(
    (chunk) => {
      if (chunk.event === 'started') started = chunk
      const part = toPart(chunk)
      if (part.length === 0) return
      if (!res.headersSent) res.writeHead(200, speechHeaders(req, speech, started, type))
      const room = writePart(res, part, speech.signal)
      return chunk.event === 'audio' ? pace(room, chunk.duration_ms) : room
    },
    { alignsFirst },
  )
  res.end()
}

/** The audio as the body. */
export const respondWithAudio: SpeechResponder = (req, res, speech) =>
  respondInParts(req, res, speech, { toPart: (chunk) => (chunk.event === 'audio' ? chunk.data : '') })

/** A server-sent event: its name, and its data as JSON. */
type Event = readonly [name: string, data: object]

interface EventOptions {
  /** The events for a chunk. */
  toEvents(chunk: SynthesisChunk, speech: Speech): readonly Event[]
  /** The data of the event `error`. Default: the body of the error. */
  readonly errorData?: (failure: ServiceError, req: Request) => object
}

/** Responds with server-sent events. */
export const createEventResponder =
  ({ toEvents, errorData = (failure, req) => errorBodyFor(req, failure) }: EventOptions): SpeechResponder =>
  (req, res, speech) => {
    res.endWithError = (failure: ServiceError) => {
      res.end(printEvent(['error', errorData(failure, req)]))
    }
    return respondInParts(req, res, speech, {
      type: 'text/event-stream; charset=utf-8',
      toPart: (chunk) => toEvents(chunk, speech).map(printEvent).join(''),
    })
  }

export const base64 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

/** The events of the streaming protocol, without a context. */
export const respondWithEvents = createEventResponder({
  toEvents(chunk, { request }) {
    switch (chunk.event) {
      case 'started':
      case 'segment':
        return []
      case 'audio':
        return [['audio', { ...chunk, data: base64(chunk.data) }]]
      case 'alignment': {
        if (request.alignment.length === 0) return []
        const { event, segment } = chunk
        return [['alignment', { event, segment, ...requestedAlignment(chunk, request.alignment) }]]
      }
      case 'done':
        return [['done', chunk]]
    }
  },
})

/** The events of OpenAI's speech API. A character of the input counts as a token. */
export const respondWithOpenaiEvents = createEventResponder({
  toEvents(chunk, { characters }) {
    switch (chunk.event) {
      case 'audio':
        return [['speech.audio.delta', { type: 'speech.audio.delta', audio: base64(chunk.data) }]]
      case 'done': {
        const usage = { input_tokens: characters, output_tokens: 0, total_tokens: characters }
        return [['speech.audio.done', { type: 'speech.audio.done', usage }]]
      }
      default:
        return []
    }
  },
})
