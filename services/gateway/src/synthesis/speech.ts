import { sleep } from '@parlance/async'
import type { Sink } from '@parlance/async/push-stream'
import { contentType } from '@parlance/audio'
import type { OrderSpeech, VoicePrices } from '@parlance/clients/speech'
import { chosenLanguage, ServiceError, type SynthesisChunk, type SynthesisRequest } from '@parlance/contracts'
import {
  alignmentFirst,
  countCodePoints,
  cutsBetween,
  refuseUnspeakable,
  SpeechRecord,
  segmentText,
  speechStream,
} from '@parlance/speech'
import type { Request, Response } from 'express'
import { principalOf } from '../authentication/require-key.js'
import { hangUpSignal } from '../http/connection-end.js'
import { apiHeaders } from '../http/json-response.js'
import { withoutIdleLimit } from '../http/streamed-body.js'

/** The speech of one request. */
export interface Speech {
  readonly request: SynthesisRequest
  /** The media type of the audio. */
  readonly type: string
  /** The code points, which are billed. */
  readonly characters: number
  /** Aborted when the caller hangs up, which also stops the synthesis. */
  readonly signal: AbortSignal
  /**
   * Delivers the whole speech to `sink`, on one clock. A chunk counts as delivered once `sink` has returned. With `alignsFirst` the
   * audio of a segment follows its alignment.
   */
  speak(sink: Sink<SynthesisChunk>, options?: { readonly alignsFirst?: boolean }): Promise<void>
}

/**
 * Sends a speech to its caller in one of the possible forms. Headers are sent with the first audio, so
 * that a failure before that can still be a status.
 */
export type SpeechResponder = (req: Request, res: Response, speech: Speech) => Promise<void>

/** The rest follows from the caller and the text. */
export type SpeechRequest = Omit<SynthesisRequest, 'workspace_id' | 'cuts' | 'private'>

interface SpeakOptions {
  findVoice: VoicePrices
  orderSpeech: OrderSpeech
}

export const createSpeak =
  ({ findVoice, orderSpeech }: SpeakOptions) =>
  async (req: Request, res: Response, sent: SpeechRequest, respond: SpeechResponder): Promise<void> => {
    const { context } = req
    const { text, speed } = sent
    const principal = principalOf(req)
    const { workspace_id } = principal
    const signal = hangUpSignal(res)
    const { voice } = await findVoice(sent, context)
    refuseUnspeakable(voice, text)
    const characters = countCodePoints(text)
    const cuts = cutsBetween(segmentText(text, chosenLanguage(voice, sent.language)))
    const request = { ...sent, workspace_id, cuts, private: false }
    const order = { principal, request, characters, agentId: null, context }
    const { chunks, settle } = orderSpeech(order, { purpose: 'one_shot' })
    const type = contentType(request.output.format)
    let record = new SpeechRecord(speed)
    const speak: Speech['speak'] = (sink, { alignsFirst = false } = {}) => {
      record = new SpeechRecord(speed)
      record.add({ text, cuts })
      const inOrder = speechStream({ batches: [{ text, cuts, speakable: true }], synthesize: () => chunks, speed })
      const speech = alignsFirst ? alignmentFirst(inOrder) : inOrder
      return speech((chunk) => {
        if (chunk.event === 'done' && chunk.audio_duration_ms === 0) {
          throw new ServiceError('text_not_speakable', 'text: contains nothing that this voice can say')
        }
        const room = sink(chunk)
        record.follow(chunk)
        return room
      }, signal)
    }
    try {
      await withoutIdleLimit(req.socket, () => respond(req, res, { request, type, characters, signal, speak }))
    } catch (error) {
      // Until the headers are sent, nothing was delivered: a JSON response starts when its speech is complete.
      const hungUp = signal.aborted && !res.cutByServer
      if (!res.headersSent) settle(0)
      else settle(hungUp ? record.deliveredCharacters() : record.completedCharacters)
      throw error
    }
    settle(characters)
  }

export type Speak = ReturnType<typeof createSpeak>

/**
 * How much of a speech of few bytes is sent before a hang-up is noticed. Up to this much may be billed although it was not
 * read.
 */
const unnoticedMs = 1_000
const noticeWithinMs = 5

/**
 * Returns a function that waits after the audio of a chunk was written. The kernel buffers minutes of speech in any
 * format but PCM, whether or not the caller reads them. Without the wait all of it would count as delivered when the caller
 * hangs up.
 */
export const createPace = ({ type, signal }: Speech) => {
  const isPcm = type === contentType('pcm_s16le') || type === contentType('wav')
  let sentMs = 0
  return (room: void | Promise<void>, durationMs: number): void | Promise<void> => {
    sentMs += durationMs
    if (isPcm || sentMs < unnoticedMs) return room
    sentMs = 0
    return Promise.resolve(room).then(() => sleep(noticeWithinMs, signal))
  }
}

export type StartedChunk = Extract<SynthesisChunk, { event: 'started' }>

/** The headers of a speech, as a flat array; `bodyType` when the body is not the audio itself. */
export const speechHeaders = (
  req: Request,
  { request, type, characters }: Speech,
  started: StartedChunk | undefined,
  bodyType = type,
): string[] => {
  const headers = apiHeaders(req.id, bodyType, 'no-store')
  headers.push('x-characters-billed', String(characters), 'x-audio-sample-rate', String(request.output.sample_rate))
  // Prevents proxies from buffering the stream.
  headers.push('x-accel-buffering', 'no')
  if (started !== undefined) {
    headers.push('server-timing', `queue;dur=${inMs(started.queue_ms)}, ttfa;dur=${inMs(started.ttfa_ms)}`)
  }
  return headers
}

const inMs = (milliseconds: number) => Math.round(milliseconds * 100) / 100
