import { sleep } from '@parlance/async'
import type { Sink } from '@parlance/async/push-stream'
import { contentType } from '@parlance/audio'
import { firstAudioDeadline, type OpenSpeechBill, type Synthesize, type VoicePrices } from '@parlance/clients/speech'
import { ServiceError, type SynthesisChunk, type SynthesisRequest } from '@parlance/contracts'
import { countCodePoints, cutsBetween, meterSpeech, refuseUnspeakable, segmentText } from '@parlance/speech'
import type { Request, Response } from 'express'
import { principalOf } from '../authentication/require-key.js'
import { hangUpSignal } from '../http/connection-end.js'
import { apiHeaders } from '../http/json-response.js'
import { withoutIdleLimit } from '../http/streamed-body.js'

/** The speech of one request. */
export interface Speech {
  readonly request: SynthesisRequest
  /** The code points, which are billed. */
  readonly characters: number
  /** Aborted when the caller hangs up, which also stops the synthesis. */
  readonly signal: AbortSignal
  /** Delivers the whole speech to `sink`. */
  speak(sink: Sink<SynthesisChunk>): Promise<void>
}

/**
 * Sends a speech to its caller in one of the possible forms. Headers are sent with the first audio, so
 * that a failure before that can still be a status.
 */
export type SpeechResponder = (req: Request, res: Response, speech: Speech) => Promise<void>

export interface SpeakOptions {
  findVoice: VoicePrices
  synthesize: Synthesize
  openBill: OpenSpeechBill
  /** The maximum time to the first audio, in ms; longer for a slow voice. */
  firstAudioDeadlineMs: number
}

export const createSpeak =
  ({ findVoice, synthesize, openBill, firstAudioDeadlineMs }: SpeakOptions) =>
  async (req: Request, res: Response, ordered: SynthesisRequest, respond: SpeechResponder): Promise<void> => {
    const { context } = req
    const signal = hangUpSignal(res)
    const { voice } = await findVoice(ordered, context)
    refuseUnspeakable(voice, ordered.text)
    const characters = countCodePoints(ordered.text)
    const bill = await openBill({ principal: principalOf(req), request: ordered, characters, agentId: null, context })
    const { engine, language } = bill
    const request = { ...bill.request, cuts: cutsBetween(segmentText(ordered.text, language)) }
    const deadlineMs = firstAudioDeadline(bill, firstAudioDeadlineMs)
    const speech = meterSpeech(synthesize(request, { context, lane: engine, deadlineMs, purpose: 'one_shot' }), request)
    const speak = (sink: Sink<SynthesisChunk>) => speech.chunks(refuseSilence(sink), signal)
    try {
      await withoutIdleLimit(req.socket, () => respond(req, res, { request, characters, signal, speak }))
    } catch (error) {
      // Until the headers are sent, nothing was delivered: a JSON response starts when its speech is complete.
      const hungUp = signal.aborted && !res.cutByServer
      if (!res.headersSent) bill.settle(0)
      else bill.settle(hungUp ? speech.delivered() : speech.completed())
      throw error
    }
    bill.settle(characters)
  }

export type Speak = ReturnType<typeof createSpeak>

/** Throws at the end of a speech that has no audio. */
const refuseSilence =
  (sink: Sink<SynthesisChunk>): Sink<SynthesisChunk> =>
  (chunk) => {
    if (chunk.event === 'done' && chunk.audio_duration_ms === 0) {
      throw new ServiceError('text_not_speakable', 'text: contains nothing that this voice can say')
    }
    return sink(chunk)
  }

/**
 * How much of a compressed speech is sent before a hang-up is noticed. Up to this much may be billed although it was not
 * read.
 */
const unnoticedMs = 1_000
const noticeWithinMs = 5

/**
 * Returns a function that waits after the audio of a chunk was written. The kernel buffers minutes of compressed audio,
 * whether or not the caller reads them. Without the wait all of it would count as delivered when the caller hangs up.
 */
export const createPace = ({ request: { output }, signal }: Speech) => {
  const isCompressed = output.format === 'mp3' || output.format === 'opus'
  let sentMs = 0
  return (room: void | Promise<void>, durationMs: number): void | Promise<void> => {
    sentMs += durationMs
    if (!isCompressed || sentMs < unnoticedMs) return room
    sentMs = 0
    return Promise.resolve(room).then(() => sleep(noticeWithinMs, signal))
  }
}

export type StartedChunk = Extract<SynthesisChunk, { event: 'started' }>

/** The headers of a speech, as a flat array; `type` when the body is not the audio itself. */
export const speechHeaders = (
  req: Request,
  { request, characters }: Speech,
  started: StartedChunk | undefined,
  type = contentType(request.output.format),
): string[] => {
  const headers = apiHeaders(req.id, type, 'no-store')
  headers.push('x-characters-billed', String(characters), 'x-audio-sample-rate', String(request.output.sample_rate))
  // Prevents proxies from buffering the stream.
  headers.push('x-accel-buffering', 'no')
  if (started !== undefined) {
    headers.push('server-timing', `queue;dur=${inMs(started.queue_ms)}, ttfa;dur=${inMs(started.ttfa_ms)}`)
  }
  return headers
}

const inMs = (milliseconds: number) => Math.round(milliseconds * 100) / 100
