import {
  alignmentSchema,
  bitRateLimits,
  openaiSpeechRequestSchema,
  sampleRatesHz,
  synthesisChunkSchema,
  ttsJsonResponseSchema,
  ttsRequestSchema,
} from '@parlance/contracts'
import { z } from 'zod'

/** Ada of the built-in engine, so that the examples work as they are. */
export const exampleVoiceId = 'c4e6ab920f89f01485102aae2f9b26d5'

/** A character that is not a control character, except tab and line breaks. */
const speakable = '[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]'

const spokenText = {
  minLength: 1,
  maxLength: 5000,
  // Not only white space.
  pattern: `^${speakable}*[^\\s\\u0000-\\u001f\\u007f]${speakable}*$`,
  description: 'The text to speak, of at most 5,000 code points. Markup is not interpreted.',
  example: 'Hello, and welcome.',
}

const fields = ttsRequestSchema.shape

const { sample_rate, bit_rate } = fields.output.unwrap().shape
const output = fields.output.unwrap().extend({
  sample_rate: sample_rate.meta({ enum: [...new Set(Object.values(sampleRatesHz).flat())].sort((a, b) => a - b) }),
  bit_rate: bit_rate.meta({
    minimum: Math.min(bitRateLimits.mp3.min, bitRateLimits.opus.min),
    maximum: Math.max(bitRateLimits.mp3.max, bitRateLimits.opus.max),
  }),
})

/** The schemas that check requests, with descriptions of their fields. */
export const ttsRequest = ttsRequestSchema
  .extend({
    text: fields.text.meta(spokenText),
    voice_id: fields.voice_id.meta({ description: 'The `id` of a voice in `GET /v1/voices`.' }),
    tts_variant: fields.tts_variant.meta({
      description: "One of the voice's `variants`; the first one when left out.",
    }),
    language: fields.language.meta({
      description: "A BCP 47 tag that the voice speaks; the voice's main language when left out.",
      example: 'en',
    }),
    output: output.default({ format: 'mp3' }).meta({
      description:
        'Sample rates in Hz: PCM, WAV and FLAC 8000, 16000, 22050, 24000, 44100, 48000; MP3 22050, 24000, 44100; Opus 48000; ' +
        'µ-law and A-law 8000. Only MP3 and Opus have a bit rate, in bits per second.',
    }),
    speed: fields.speed.meta({ description: "1 is the voice's own pace." }),
    volume: fields.volume.meta({ description: "1 is the voice's own loudness." }),
    response_mode: fields.response_mode.meta({
      description:
        '`audio` streams the audio as the body; `json` responds once all audio is complete; `sse` streams events, with audio in base64.',
    }),
    alignment: fields.alignment.meta({
      description:
        'The times to include, measured from the start of the audio. Requires `response_mode` `json` or `sse`.',
    }),
  })
  .meta({ id: 'TtsRequest' })

export const ttsJsonResponse = ttsJsonResponseSchema.meta({ id: 'TtsJsonResponse' })

const [, audio, , , done] = synthesisChunkSchema.options

/** An item of `text/event-stream`: the event's name, and its data, which is JSON in a string. `schema` is a component. */
export const eventItem = (name: string, schema: string) =>
  z.object({
    event: z.literal(name),
    data: z
      .string()
      .meta({ contentMediaType: 'application/json', contentSchema: { $ref: `#/components/schemas/${schema}` } }),
  })

/** The components to which the data of events refers, besides `Error` and `OpenaiError`. */
export const speechEventData = [
  audio.extend({ data: z.string().meta({ description: 'The audio in base64.' }) }).meta({ id: 'SpeechAudio' }),
  z
    .object({ event: z.literal('alignment'), segment: z.int().nonnegative(), ...alignmentSchema.shape })
    .meta({ id: 'SpeechAlignment' }),
  done.meta({ id: 'SpeechDone' }),
  z.object({ type: z.literal('speech.audio.delta'), audio: z.string() }).meta({ id: 'OpenaiSpeechDelta' }),
  z
    .object({
      type: z.literal('speech.audio.done'),
      usage: z.object({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }),
    })
    .meta({ id: 'OpenaiSpeechDone' }),
]

/** The events of `response_mode` `sse`. */
export const speechEvent = z
  .union([
    eventItem('audio', 'SpeechAudio'),
    eventItem('alignment', 'SpeechAlignment'),
    eventItem('done', 'SpeechDone'),
    eventItem('error', 'Error'),
  ])
  .meta({ id: 'SpeechEvent' })

const openai = openaiSpeechRequestSchema.shape

export const openaiSpeechRequest = openaiSpeechRequestSchema
  .extend({
    model: openai.model.meta({
      description: "A variant of the voice. `tts-1`, `tts-1-hd` and `gpt-4o-mini-tts` stand for the voice's first.",
      example: 'tts-1',
    }),
    input: openai.input.meta(spokenText),
    voice: openai.voice.meta({
      description:
        'The id or the display name of a voice in `GET /v1/voices`. OpenAI’s names, such as `alloy`, each stand for one of the best voices of the same gender.',
    }),
    instructions: openai.instructions.meta({ description: 'Ignored, and named in `x-parlance-ignored`.' }),
    response_format: openai.response_format.meta({
      enum: ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'],
      description: '`pcm` is 24 kHz, signed 16 bits, little endian.',
    }),
    speed: openai.speed.meta({
      description:
        "1 is the voice's own pace. A value below 0.5 or above 2 is replaced by that limit, which `x-speed-applied` reports.",
    }),
  })
  .meta({ id: 'OpenaiSpeechRequest' })

export const openaiSpeechEvent = z
  .union([
    eventItem('speech.audio.delta', 'OpenaiSpeechDelta'),
    eventItem('speech.audio.done', 'OpenaiSpeechDone'),
    eventItem('error', 'OpenaiError'),
  ])
  .meta({ id: 'OpenaiSpeechEvent' })

/** The response headers of speech. */
export const speechHeaders = {
  'x-characters-billed': z.string().meta({ description: 'Code points of the text.', example: '19' }),
  'x-audio-sample-rate': z.string().meta({ description: 'In Hz.', example: '24000' }),
  'server-timing': z.string().optional().meta({
    description:
      '`queue`: the wait for an engine; `ttfa`: from there to the first audio; both in ms. Missing in a replayed response.',
    example: 'queue;dur=0.1, ttfa;dur=4.2',
  }),
}

export const appliedSpeed = z.string().meta({ description: 'The speed of the audio, from 0.5 to 2.', example: '1' })

export const ignoredNames = z.string().optional().meta({
  description: 'The fields of the request that were ignored, separated by commas. Left out when there are none.',
  example: 'instructions',
})

/** A body of audio. */
export const audioBytes = { schema: { type: 'string', format: 'binary' } } as const
