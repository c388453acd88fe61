import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { contentType } from '@parlance/audio'
import type { SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import type { Request, Response } from 'express'
import { apiHeaders } from '../json-response.js'
import { countCodePoints } from './code-points.js'
import { type SpeechClient, synthesizeWithRetry } from './synthesize-with-retry.js'

/** A synthesis on its way to one caller. */
export interface Speech {
  readonly request: SynthesisRequest
  /** Code points, which is what is billed. */
  readonly characters: number
  readonly chunks: AsyncIterable<SynthesisChunk>
  /** Aborted when the caller hangs up, which also stops the synthesis. */
  readonly signal: AbortSignal
}

/**
 * Sends a speech to its caller in one of the forms there are. Headers go out with the first audio and not before, so
 * that until then a failure can still be a status.
 */
export type SpeechResponder = (req: Request, res: Response, speech: Speech) => Promise<void>

export const createSpeak =
  (tts: SpeechClient, firstAudioDeadlineMs: number) =>
  (req: Request, res: Response, request: SynthesisRequest, respond: SpeechResponder): Promise<void> => {
    const signal = hangUpSignal(res)
    const chunks = synthesizeWithRetry(tts, request, { context: req.context, deadlineMs: firstAudioDeadlineMs, signal })
    return respond(req, res, { request, characters: countCodePoints(request.text), chunks, signal })
  }

export type Speak = ReturnType<typeof createSpeak>

const hangUpSignal = (res: ServerResponse): AbortSignal => {
  const controller = new AbortController()
  const onClose = () => {
    if (!res.writableFinished) controller.abort()
  }
  if (res.closed) onClose()
  else res.once('close', onClose)
  return controller.signal
}

export type StartedChunk = Extract<SynthesisChunk, { event: 'started' }>

/** The headers of a speech, as a flat array; `type` where it is not the audio itself that is sent. */
export const speechHeaders = (
  req: Request,
  { request, characters }: Speech,
  started: StartedChunk | undefined,
  type = contentType(request.output.format),
): string[] => {
  const headers = apiHeaders(req.id, type, 'no-store')
  headers.push('x-characters-billed', String(characters), 'x-audio-sample-rate', String(request.output.sample_rate))
  // Proxies that gather an answer before they pass it on would undo the stream.
  headers.push('x-accel-buffering', 'no')
  if (started !== undefined) {
    headers.push('server-timing', `queue;dur=${inMs(started.queue_ms)}, ttfa;dur=${inMs(started.ttfa_ms)}`)
  }
  return headers
}

const inMs = (milliseconds: number) => Math.round(milliseconds * 100) / 100

/** Resolves when `res` has room for more, so that a slow caller slows its synthesis and fills nobody's memory. */
export const writePart = async (res: ServerResponse, part: Uint8Array | string, signal: AbortSignal): Promise<void> => {
  if (!res.write(part)) await once(res, 'drain', { signal })
}
