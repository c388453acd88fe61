import {
  ignoredOfTranscription,
  type ServiceError,
  type TranscriptionEvent,
  type TranscriptionFields,
  wordSeparator,
} from '@parlance/contracts'
import type { Request, Response } from 'express'
import { errorBodyFor } from '../http/error-response.js'
import { apiHeaders, ignoredHeader, sendBody } from '../http/json-response.js'
import { printEvent, writePart } from '../http/streamed-body.js'
import { textOf, transcriptPrinters, usageOf } from './transcript-formats.js'
import type { TranscriptionListener } from './transcription.js'
import { billedSeconds } from './transcription-billing.js'

const headersOf = (req: Request, type: string, fields: TranscriptionFields, durationMs: number): string[] => [
  ...apiHeaders(req.id, type, 'no-store'),
  ...ignoredHeader(ignoredOfTranscription(fields)),
  'x-seconds-billed',
  String(billedSeconds(durationMs)),
]

/** Responds with the whole transcript, in the requested format. */
export const respondWithTranscript = (
  req: Request,
  res: Response,
  fields: TranscriptionFields,
): TranscriptionListener => ({
  onEnd(transcript) {
    const { type, body } = transcriptPrinters[fields.response_format](transcript, fields)
    sendBody(res, 200, headersOf(req, type, fields, transcript.durationMs), body)
  },
})

/** Responds with the events of OpenAI's transcriptions, each as soon as its text is known. */
export const respondWithTranscriptEvents = (
  req: Request,
  res: Response,
  fields: TranscriptionFields,
  signal: AbortSignal,
): TranscriptionListener => {
  let begun = { durationMs: 0, language: '' }
  let separator = ''
  const write = (event: TranscriptionEvent) => {
    if (!res.headersSent) {
      const headers = headersOf(req, 'text/event-stream; charset=utf-8', fields, begun.durationMs)
      // Prevents proxies from buffering the stream.
      res.writeHead(200, [...headers, 'x-accel-buffering', 'no'])
    }
    return writePart(res, printEvent([event.type, event]), signal)
  }
  res.endWithError = (failure: ServiceError) => {
    res.end(printEvent(['error', errorBodyFor(req, failure)]))
  }
  return {
    onBegin(transcript) {
      begun = transcript
    },
    onSegment({ text }) {
      const delta = `${separator}${text}`
      separator = wordSeparator(begun.language)
      return write({ type: 'transcript.text.delta', delta })
    },
    onEnd(transcript) {
      void write({ type: 'transcript.text.done', text: textOf(transcript), usage: usageOf(transcript) })
      res.end()
    },
  }
}
