import type { ServiceError, SynthesisChunk } from '@parlance/contracts'
import { errorBodyFor } from '../http/error-response.js'
import { printEvent, writePart } from '../http/streamed-body.js'
import { createPace, type Speech, type SpeechResponder, type StartedChunk, speechHeaders } from './speech.js'
import { requestedAlignment } from './synthesis-request.js'

/** A server-sent event: its name, and its data as JSON. */
type Event = readonly [name: string, data: object]

/** Responds with server-sent events. `toEvent` returns the event for a chunk, or undefined for none. */
const createEventResponder =
  (toEvent: (chunk: SynthesisChunk, speech: Speech) => Event | undefined): SpeechResponder =>
  async (req, res, speech) => {
    const pace = createPace(speech)
    let started: StartedChunk | undefined
    res.endWithError = (failure: ServiceError) => {
      res.end(printEvent(['error', errorBodyFor(req, failure)]))
    }
    await speech.speak((chunk) => {
      if (chunk.event === 'started') started = chunk
      const event = toEvent(chunk, speech)
      if (event === undefined) return
      if (!res.headersSent) res.writeHead(200, speechHeaders(req, speech, started, 'text/event-stream; charset=utf-8'))
      const room = writePart(res, printEvent(event), speech.signal)
      return chunk.event === 'audio' ? pace(room, chunk.duration_ms) : room
    })
    res.end()
  }

const base64 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

/** The events of the streaming protocol, without a context. */
export const respondWithEvents = createEventResponder((chunk, { request }) => {
  switch (chunk.event) {
    case 'started':
    case 'segment':
      return undefined
    case 'audio':
      return ['audio', { ...chunk, data: base64(chunk.data) }]
    case 'alignment':
      if (request.alignment.length === 0) return undefined
      return [
        'alignment',
        { event: 'alignment', segment: chunk.segment, ...requestedAlignment(chunk, request.alignment) },
      ]
    case 'done':
      return ['done', chunk]
  }
})

/** The events of OpenAI's speech API. A character of the input counts as a token. */
export const respondWithOpenaiEvents = createEventResponder((chunk, { characters }) => {
  switch (chunk.event) {
    case 'audio':
      return ['speech.audio.delta', { type: 'speech.audio.delta', audio: base64(chunk.data) }]
    case 'done':
      return [
        'speech.audio.done',
        {
          type: 'speech.audio.done',
          usage: { input_tokens: characters, output_tokens: 0, total_tokens: characters },
        },
      ]
    default:
      return undefined
  }
})
