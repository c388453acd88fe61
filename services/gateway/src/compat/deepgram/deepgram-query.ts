/** Deepgram's settings, which are in the query of every request and upgrade. */
import { languageTagSchema, ServiceError } from '@parlance/contracts'
import { z } from 'zod'
import { parseRequest } from '../../http/parsed-request.js'
import { tokenParameters } from '../vendor-clients.js'

const prefix = '/v1/compat/deepgram'
export const deepgramPaths = {
  listen: `${prefix}/v1/listen`,
  speak: `${prefix}/v1/speak`,
  listenV2: `${prefix}/v2/listen`,
  speakV2: `${prefix}/v2/speak`,
} as const

/** Settings without an effect here. A result without them is still correct. */
const ignoredOfListening = [
  'dictation',
  'endpointing',
  'extra',
  'filler_words',
  'keyterm',
  'keywords',
  'measurements',
  'mip_opt_out',
  'no_delay',
  'numerals',
  'profanity_filter',
  'punctuate',
  'smart_format',
  'tag',
  'utt_split',
  'version',
] as const
const ignoredOfSpeech = ['mip_opt_out', 'tag'] as const

/** Settings that a client relies on, and that do not exist here. They may be `false`. */
const refusedOfListening = [
  'callback',
  'callback_method',
  'custom_intent',
  'custom_intent_mode',
  'custom_topic',
  'custom_topic_mode',
  'detect_entities',
  'detect_language',
  'diarize',
  'diarize_model',
  'diarize_version',
  'intents',
  'multichannel',
  'paragraphs',
  'redact',
  'replace',
  'search',
  'sentiment',
  'summarize',
  'topics',
] as const
const refusedOfSpeech = ['callback', 'callback_method'] as const

const flag = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((text) => text === 'true')
const number = z
  .string()
  .regex(/^\d+(\.\d+)?$/, { error: 'must be a number' })
  .transform(Number)

/** Names of Deepgram's models, none of which exists here. */
const isVendorModel = (name: string): boolean =>
  /^(nova|enhanced|base|whisper|flux|aura|general|meeting|phonecall)(-|$)/.test(name)

const model = z.string().min(1).max(200).optional()
const sampleRate = number.pipe(z.int().min(8_000).max(48_000)).optional()

const listeningSchema = z.strictObject({
  model,
  language: z.string().max(35).optional(),
  encoding: z.string().optional(),
  sample_rate: sampleRate,
  channels: z.literal('1', { error: 'only one channel is recognized' }).optional(),
  interim_results: flag.default(false),
  vad_events: flag.default(false),
  utterance_end_ms: number.optional(),
  utterances: flag.default(false),
})

export interface ListeningSettings {
  /** Null for the best of the language. */
  readonly model: string | null
  /** A BCP 47 tag; null for the default. */
  readonly language: string | null
  /** Of audio without a container. */
  readonly raw: { readonly encoding: 'pcm_s16le' | 'ulaw' | 'alaw'; readonly sampleRateHz: number } | undefined
  readonly interimResults: boolean
  readonly vadEvents: boolean
  readonly utteranceEnd: boolean
  readonly utterances: boolean
  /** What was set and has no effect. */
  readonly ignored: readonly string[]
}

const speechSchema = z.strictObject({
  model,
  encoding: z.string().optional(),
  container: z.string().optional(),
  sample_rate: number.optional(),
  bit_rate: number.optional(),
  speed: number.pipe(z.number().min(0.5).max(2)).default(1),
})

export interface SpeechSettings {
  /** Null for the default voice. */
  readonly voice: string | null
  /** Of the default voice, if the name of a model has one. */
  readonly language: string | null
  readonly encoding: string | undefined
  readonly container: string | undefined
  readonly sampleRateHz: number | undefined
  readonly bitRate: number | undefined
  readonly speed: number
  readonly ignored: readonly string[]
}

/** The settings that have an effect, and the names of those that have none. Throws `invalid_request` for refused ones. */
const divide = (query: URLSearchParams, ignorable: readonly string[], refused: readonly string[]) => {
  const effective: Record<string, string> = {}
  const ignored = new Set<string>()
  for (const [name, value] of query) {
    if (tokenParameters.includes(name)) continue
    if (refused.includes(name)) {
      if (value !== 'false') throw new ServiceError('invalid_request', `${name}: is not supported here`)
    } else if (ignorable.includes(name)) {
      if (value !== 'false') ignored.add(name)
    } else effective[name] = value
  }
  return { effective, ignored }
}

/** Deepgram's names of audio without a container. */
export const encodings = { linear16: 'pcm_s16le', mulaw: 'ulaw', alaw: 'alaw' } as const

const rawOf = (encoding: string | undefined, sampleRateHz: number | undefined): ListeningSettings['raw'] => {
  if (encoding === undefined) return undefined
  const ours = encodings[encoding as keyof typeof encodings]
  if (ours === undefined) {
    const possible = Object.keys(encodings).join(', ')
    throw new ServiceError(
      'unsupported_format',
      `encoding: "${encoding}" is not supported here; there are: ${possible}`,
    )
  }
  if (sampleRateHz === undefined) throw new ServiceError('invalid_request', `sample_rate: is required with ${encoding}`)
  return { encoding: ours, sampleRateHz }
}

/** Throws `ServiceError`. */
export const readListeningSettings = (query: URLSearchParams): ListeningSettings => {
  const { effective, ignored } = divide(query, ignoredOfListening, refusedOfListening)
  const settings = parseRequest(listeningSchema, effective)
  const isOurs = settings.model !== undefined && !isVendorModel(settings.model)
  if (settings.model !== undefined && !isOurs) ignored.add('model')
  // Deepgram's name for a speaker who changes languages.
  const isMulti = settings.language === 'multi'
  if (isMulti) ignored.add('language')
  if (settings.utterance_end_ms !== undefined) ignored.add('utterance_end_ms')
  return {
    model: isOurs ? (settings.model as string) : null,
    language: isMulti
      ? null
      : (parseRequest(z.object({ language: languageTagSchema.optional() }), settings).language ?? null),
    raw: rawOf(settings.encoding, settings.sample_rate),
    interimResults: settings.interim_results,
    vadEvents: settings.vad_events,
    utteranceEnd: settings.utterance_end_ms !== undefined,
    utterances: settings.utterances,
    ignored: [...ignored],
  }
}

/** Throws `ServiceError`. */
export const readSpeechSettings = (query: URLSearchParams): SpeechSettings => {
  const { effective, ignored } = divide(query, ignoredOfSpeech, refusedOfSpeech)
  const settings = parseRequest(speechSchema, effective)
  const { model: named = 'aura' } = settings
  const isOurs = !isVendorModel(named)
  if (settings.model !== undefined && !isOurs) ignored.add('model')
  return {
    voice: isOurs ? named : null,
    language: isOurs ? null : (/-([a-z]{2})$/.exec(named)?.[1] ?? null),
    encoding: settings.encoding,
    container: settings.container,
    sampleRateHz: settings.sample_rate,
    bitRate: settings.bit_rate,
    speed: settings.speed,
    ignored: [...ignored],
  }
}
