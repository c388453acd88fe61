import { primaryLanguage } from '@parlance/contracts'
import { secretReferenceSchema } from '@parlance/runtime'
import { isSpeakable } from '@parlance/speech'
import { z } from 'zod'
import type { OpenEngines } from '../engine/engine.js'
import { bytesOfBase64, createPcmDecoder } from './audio-decoder.js'
import { createHttpClient } from './http-client.js'
import { createLineSplitter } from './line-splitter.js'
import {
  baseUrlSchema,
  modelsSchema,
  remoteEngineFields,
  remoteModelSchema,
  secretForHeader,
  voicesSchema,
} from './remote-config.js'
import { openRemoteEngine } from './remote-engine.js'
import { RemoteFailure, unlessRefused } from './remote-failure.js'
import { distinctVoices, languagesOr, type RemoteVoice } from './remote-voice.js'
import type { SpeechServer } from './speech-server.js'
import { createCharacterTimes } from './word-times.js'

export const elevenlabsEngineConfig = z.strictObject({
  type: z.literal('elevenlabs'),
  base_url: baseUrlSchema(/^https?$/).default('https://api.elevenlabs.io'),
  api_key: secretReferenceSchema,
  models: modelsSchema(
    remoteModelSchema.extend({
      /** Whether the model accepts a language; other models refuse a request with one. */
      takes_language: z.boolean().default(false),
    }),
  ),
  voices: voicesSchema.default('discover'),
  /** The rate of raw samples. Rates above 24 kHz require a plan that has them. */
  sample_rate_hz: z.literal([8000, 16000, 22050, 24000, 44100, 48000]).default(24000),
  ...remoteEngineFields,
})

const maxLineBytes = 8 * 1024 * 1024
const slowest = 0.7
const fastest = 1.2
const notJsonLines = /^(text\/html|image|audio|video)/

const timesSchema = z.array(z.number())
const alignmentSchema = z.object({
  characters: z.array(z.string()),
  character_start_times_seconds: timesSchema,
  character_end_times_seconds: timesSchema,
})
const lineSchema = z.object({ audio_base64: z.string().nullish(), alignment: alignmentSchema.nullish() })

const parseLine = (line: string): z.infer<typeof lineSchema> => {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw new RemoteFailure('broken', 'a line that is not JSON', { cause })
  }
  const parsed = lineSchema.safeParse(value)
  if (!parsed.success) throw new RemoteFailure('broken', 'a line of an unknown shape')
  return parsed.data
}

const inMs = (seconds: readonly number[]) => seconds.map((value) => value * 1000)

const label = z.string().nullish()
const page = z.object({
  voices: z.array(
    z.object({
      voice_id: z.string().min(1).max(200),
      name: z.string().nullish(),
      description: z.string().nullish(),
      category: z.string().nullish(),
      labels: z.object({ language: label, gender: label, accent: label, age: label, use_case: label }).nullish(),
      verified_languages: z.array(z.object({ language: z.string(), locale: z.string().nullish() })).nullish(),
      created_at_unix: z.number().nullish(),
    }),
  ),
  has_more: z.boolean().default(false),
  next_page_token: z.string().nullish(),
})

const maxPages = 50

const genderOf = (label: string | null | undefined): RemoteVoice['gender'] =>
  label === 'female' || label === 'male' ? label : 'neutral'

/** Reads all pages of `GET v2/voices` by `get`. */
const voicesOfElevenlabs = async (get: (path: string) => Promise<unknown>): Promise<RemoteVoice[]> => {
  const voices: RemoteVoice[] = []
  let token: string | null | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const query = new URLSearchParams({ page_size: '100', ...(token ? { next_page_token: token } : {}) })
    const answer = page.safeParse(await get(`v2/voices?${query}`))
    if (!answer.success) throw new RemoteFailure('broken', 'a list of voices of an unknown shape')
    const { voices: listed, has_more: more, next_page_token: next } = answer.data
    for (const { voice_id, name, description, category, labels, verified_languages, created_at_unix } of listed) {
      const tags = [labels?.accent, labels?.age, labels?.use_case, category]
      voices.push({
        id: voice_id,
        display_name: name || voice_id,
        description: description ?? '',
        languages: languagesOr(
          [labels?.language, ...(verified_languages ?? []).map(({ language, locale }) => locale ?? language)],
          'en',
        ),
        gender: genderOf(labels?.gender),
        tags: tags.filter((tag): tag is string => typeof tag === 'string' && tag !== ''),
        license: 'proprietary',
        created_at: created_at_unix ? new Date(created_at_unix * 1000).toISOString() : undefined,
      })
    }
    token = next
    if (!more || !token) break
  }
  if (voices.length === 0) throw new RemoteFailure('broken', 'an empty list of voices')
  return distinctVoices(voices)
}

export const openElevenlabsEngines: OpenEngines<z.output<typeof elevenlabsEngineConfig>> = async (
  name,
  config,
  context,
) => {
  const { models, sample_rate_hz: sampleRateHz, voices, timeouts } = config
  const http = createHttpClient({
    baseUrl: config.base_url,
    headers: { 'xi-api-key': secretForHeader(config.api_key, context.readSecret) },
    // One more for the probe, which must not wait for speech.
    connections: config.concurrency + 1,
    connectTimeoutMs: timeouts.connect_ms,
  })
  const takesLanguage = new Set(models.filter(({ takes_language }) => takes_language).map(({ id }) => id))

  const server: SpeechServer = {
    async probe(signal) {
      if (voices === 'discover') return voicesOfElevenlabs((path) => http.getJson(path, signal))
      await http.getJson('v1/models', signal).catch(unlessRefused)
      return voices
    },

    async speak({ text, voice, model, language, speed }, signal, onPart) {
      const body = await http.post(
        `v1/text-to-speech/${encodeURIComponent(voice.id)}/stream/with-timestamps?output_format=pcm_${sampleRateHz}`,
        {
          text,
          model_id: model,
          ...(language !== undefined && takesLanguage.has(model) ? { language_code: primaryLanguage(language) } : {}),
          // Settings replace all settings of the voice, so they are only sent when needed.
          ...(speed === 1 ? {} : { voice_settings: { speed: Math.min(fastest, Math.max(slowest, speed)) } }),
        },
        notJsonLines,
        signal,
      )
      const lines = createLineSplitter(maxLineBytes)
      const decoder = createPcmDecoder()
      const times = createCharacterTimes(text, language ?? voice.languages[0]!)
      const take = (line: string) => {
        if (line.trim() === '') return
        const { audio_base64: audio, alignment } = parseLine(line)
        if (audio) onPart({ kind: 'audio', pcm: decoder.decode(bytesOfBase64(audio)) })
        if (!alignment) return
        const { characters, character_start_times_seconds: starts, character_end_times_seconds: ends } = alignment
        if (starts.length !== characters.length || ends.length !== characters.length) {
          throw new RemoteFailure('broken', 'the numbers of times and characters differ')
        }
        onPart({ kind: 'marks', words: times.add({ characters, startsMs: inMs(starts), endsMs: inMs(ends) }) })
      }
      for await (const bytes of body) for (const line of lines.split(bytes)) take(line)
      take(lines.rest())
      decoder.end()
      if (isSpeakable(times.missing())) throw new RemoteFailure('broken', 'the speech ends before the text')
      onPart({ kind: 'marks', words: times.end() })
    },
    close: http.close,
  }

  const engine = await openRemoteEngine({
    name,
    implementation: 'elevenlabs',
    sampleRateHz,
    alignment: ['word'],
    reportsTimes: true,
    server,
    config,
    logger: context.logger,
  })
  return [engine]
}
