import {
  type TranscriptionFields,
  type TranscriptionFormat,
  type TranscriptionSegment,
  wordSeparator,
} from '@parlance/contracts'
import { jsonType } from '../http/json-response.js'
import { billedSeconds } from './transcription-billing.js'

/** The text of a recording. */
export interface Transcript {
  /** A BCP 47 tag. */
  readonly language: string
  readonly durationMs: number
  readonly segments: readonly TranscriptionSegment[]
}

/** All text, in one line. */
export const textOf = ({ language, segments }: Transcript): string =>
  segments.map(({ text }) => text).join(wordSeparator(language))

/** A response body and its `Content-Type`. */
interface PrintedTranscript {
  readonly type: string
  readonly body: string
}

type Print = (transcript: Transcript, fields: TranscriptionFields) => PrintedTranscript

/** The usage in OpenAI's responses. */
export const usageOf = ({ durationMs }: Pick<Transcript, 'durationMs'>) => ({
  type: 'duration' as const,
  seconds: billedSeconds(durationMs),
})

const printJson: Print = (transcript) => ({
  type: jsonType,
  body: JSON.stringify({ text: textOf(transcript), usage: usageOf(transcript) }),
})

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })

/** `english` for `en` and `en-GB`, as OpenAI names languages. */
const nameOf = (tag: string): string => (languageNames.of(new Intl.Locale(tag).language) ?? tag).toLowerCase()

const inSeconds = (ms: number): number => Math.round(ms) / 1000

const printVerboseJson: Print = (transcript, { temperature = 0 }) => ({
  type: jsonType,
  body: JSON.stringify({
    task: 'transcribe',
    language: nameOf(transcript.language),
    duration: inSeconds(transcript.durationMs),
    text: textOf(transcript),
    segments: transcript.segments.map(({ start_ms, end_ms, text }, id) => ({
      id,
      seek: Math.round(start_ms / 10),
      start: inSeconds(start_ms),
      end: inSeconds(end_ms),
      text,
      tokens: [],
      temperature,
      // Clients require these fields, and recognizers do not report them.
      avg_logprob: 0,
      compression_ratio: 1,
      no_speech_prob: 0,
    })),
    usage: usageOf(transcript),
  }),
})

/** `01:02:03,456`. */
const clock = (ms: number, point: string): string => {
  const whole = Math.round(ms)
  const pad = (value: number, length = 2) => String(Math.floor(value)).padStart(length, '0')
  const time = [whole / 3_600_000, (whole / 60_000) % 60, (whole / 1000) % 60].map((part) => pad(part)).join(':')
  return `${time}${point}${pad(whole % 1000, 3)}`
}

const span = ({ start_ms, end_ms }: TranscriptionSegment, point: string): string =>
  `${clock(start_ms, point)} --> ${clock(end_ms, point)}`

/** A line break would end a cue. */
const inOneLine = (text: string): string => text.replace(/\s+/g, ' ')

const printSrt: Print = ({ segments }) => ({
  type: 'application/x-subrip; charset=utf-8',
  body: segments.map((segment, n) => `${n + 1}\n${span(segment, ',')}\n${inOneLine(segment.text)}\n\n`).join(''),
})

const escaped = { '&': '&amp;', '<': '&lt;', '>': '&gt;' } as const
const escapeMarkup = (text: string): string => text.replace(/[&<>]/g, (mark) => escaped[mark as keyof typeof escaped])

const printVtt: Print = ({ segments }) => ({
  type: 'text/vtt; charset=utf-8',
  body: `WEBVTT\n\n${segments.map((segment) => `${span(segment, '.')}\n${escapeMarkup(inOneLine(segment.text))}\n\n`).join('')}`,
})

const printText: Print = (transcript) => ({ type: 'text/plain; charset=utf-8', body: `${textOf(transcript)}\n` })

/** Prints a transcript in the `response_format` of its request. */
export const transcriptPrinters: Readonly<Record<TranscriptionFormat, Print>> = {
  json: printJson,
  text: printText,
  srt: printSrt,
  verbose_json: printVerboseJson,
  vtt: printVtt,
}
