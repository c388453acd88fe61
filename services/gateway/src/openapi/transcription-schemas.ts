import {
  transcriptionDeltaSchema,
  transcriptionDoneSchema,
  transcriptionFieldsSchema,
  transcriptionFormats,
  transcriptionSchema,
  verboseTranscriptionSchema,
} from '@parlance/contracts'
import { z } from 'zod'
import { eventItem } from './speech-schemas.js'

const fields = transcriptionFieldsSchema.shape

/** The form that is sent. */
export const transcriptionForm = z
  .strictObject({
    file: z.string().meta({
      format: 'binary',
      description:
        'A recording of at most 25 MiB: WAV, MP3, FLAC, Ogg (Opus, Vorbis, FLAC) or WebM (Opus, Vorbis), by its content.',
    }),
    model: fields.model.meta({
      description:
        'The name of a recognizer in `GET /v1/models`. `whisper-1`, `gpt-4o-transcribe` and `gpt-4o-mini-transcribe` take ' +
        'the best that knows the language.',
      example: 'whisper-1',
    }),
    language: fields.language.meta({
      description:
        "A BCP 47 tag. English when left out, or the recognizer's main language where it does not know English.",
      example: 'en',
    }),
    prompt: fields.prompt.meta({ description: 'Accepted, and without effect on the recognizers there are.' }),
    temperature: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'Accepted, and without effect on the recognizers there are.' }),
    response_format: z
      .enum(transcriptionFormats)
      .default('json')
      .meta({ description: '`verbose_json`, `srt` and `vtt` have the times of the segments.' }),
    'timestamp_granularities[]': z
      .array(z.enum(['segment']))
      .max(2)
      .optional()
      .meta({ description: 'For `verbose_json`. The recognizers there are give no times of words.' }),
    stream: z
      .boolean()
      .default(false)
      .meta({ description: 'Send events while the text is recognized. For `json` and `text`.' }),
    chunking_strategy: z.literal('auto').optional().meta({ description: 'Accepted: recordings are cut at pauses.' }),
  })
  .meta({ id: 'TranscriptionForm' })

export const transcription = transcriptionSchema.meta({ id: 'Transcription' })
export const verboseTranscription = verboseTranscriptionSchema.meta({
  id: 'VerboseTranscription',
  description:
    'Of a segment, `avg_logprob`, `compression_ratio`, `no_speech_prob` and `tokens` are there for clients that require them, ' +
    'and always the same.',
})

/** The components that the data of events refers to, beside `OpenaiError`. */
export const transcriptionEventData = [
  transcriptionDeltaSchema.meta({ id: 'TranscriptionDelta' }),
  transcriptionDoneSchema.meta({ id: 'TranscriptionDone' }),
]

export const transcriptionEvent = z
  .union([
    eventItem('transcript.text.delta', 'TranscriptionDelta'),
    eventItem('transcript.text.done', 'TranscriptionDone'),
    eventItem('error', 'OpenaiError'),
  ])
  .meta({ id: 'TranscriptionEvent' })

/** The response headers of a transcription. */
export const transcriptionHeaders = {
  'x-seconds-billed': z.string().meta({ description: 'Seconds of audio.', example: '7' }),
}
