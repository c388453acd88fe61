import {
  transcriptionDeltaSchema,
  transcriptionDoneSchema,
  transcriptionFieldsSchema,
  transcriptionFormats,
  transcriptionSchema,
  verboseTranscriptionSchema,
} from '@parlance/contracts'
import { z } from 'zod'
import { eventItem, ignoredNames } from './speech-schemas.js'

const fields = transcriptionFieldsSchema.shape

const ignored = { description: 'Ignored, and named in `x-parlance-ignored`.' }

/** The form of a request. */
export const transcriptionForm = z
  .strictObject({
    file: z.string().meta({
      format: 'binary',
      description:
        'A recording of at most 25 MiB: WAV, MP3, FLAC, Ogg (Opus, Vorbis, FLAC) or WebM (Opus, Vorbis), by its content.',
    }),
    model: fields.model.meta({
      description:
        'The name of a recognizer in `GET /v1/models`. `whisper-1`, `gpt-4o-transcribe` and `gpt-4o-mini-transcribe` stand for ' +
        'the best one that knows the language.',
      example: 'whisper-1',
    }),
    language: fields.language.meta({
      description:
        "A BCP 47 tag. English when left out, or the recognizer's main language where it does not know English.",
      example: 'en',
    }),
    prompt: fields.prompt.meta(ignored),
    temperature: z.number().min(0).max(1).optional().meta(ignored),
    response_format: z
      .enum(transcriptionFormats)
      .default('json')
      .meta({ description: '`verbose_json`, `srt` and `vtt` have the times of the segments.' }),
    'timestamp_granularities[]': z
      .array(z.enum(['segment', 'word']))
      .max(2)
      .optional()
      .meta({
        description:
          'For `verbose_json`, which has the times of segments. `word` is ignored: recognizers do not provide such times.',
      }),
    stream: z
      .boolean()
      .default(false)
      .meta({ description: 'Send events while the text is recognized. For `json` and `text`.' }),
    chunking_strategy: fields.chunking_strategy.meta({ description: 'Ignored: recordings are cut at pauses.' }),
    'chunking_strategy[type]': fields['chunking_strategy[type]'].meta(ignored),
    'chunking_strategy[prefix_padding_ms]': fields['chunking_strategy[prefix_padding_ms]'].meta(ignored),
    'chunking_strategy[silence_duration_ms]': fields['chunking_strategy[silence_duration_ms]'].meta(ignored),
    'chunking_strategy[threshold]': fields['chunking_strategy[threshold]'].meta(ignored),
    'include[]': fields['include[]'].meta(ignored),
    'known_speaker_names[]': fields['known_speaker_names[]'].meta(ignored),
    'known_speaker_references[]': fields['known_speaker_references[]'].meta(ignored),
  })
  .meta({ id: 'TranscriptionForm' })

export const transcription = transcriptionSchema.meta({ id: 'Transcription' })
export const verboseTranscription = verboseTranscriptionSchema.meta({
  id: 'VerboseTranscription',
  description:
    '`avg_logprob`, `compression_ratio`, `no_speech_prob` and `tokens` of a segment exist for clients that require them, ' +
    'and are always the same.',
})

/** The components to which the data of events refers, besides `OpenaiError`. */
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
  'x-parlance-ignored': ignoredNames,
}
