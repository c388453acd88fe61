import { primaryLanguage } from '@parlance/contracts'
import { secretReferenceSchema } from '@parlance/runtime'
import { z } from 'zod'
import type { OpenEngines } from '../engine/engine.js'
import { bytesOfBase64, createPcmDecoder } from './audio-decoder.js'
import { createCartesiaSocket } from './cartesia-socket.js'
import { createHttpClient } from './http-client.js'
import {
  baseUrlSchema,
  modelsSchema,
  remoteEngineFields,
  remoteModelSchema,
  secretForHeader,
  voicesSchema,
} from './remote-config.js'
import { openRemoteEngine } from './remote-engine.js'
import { RemoteFailure } from './remote-failure.js'
import { distinctVoices, languagesOr, type RemoteVoice } from './remote-voice.js'
import type { SpeechServer } from './speech-server.js'
import { createWordTimes } from './word-times.js'

export const cartesiaEngineConfig = z.strictObject({
  type: z.literal('cartesia'),
  /** The WebSocket has the same address with the scheme `ws` or `wss`. */
  base_url: baseUrlSchema(/^https?$/).default('https://api.cartesia.ai'),
  api_key: secretReferenceSchema,
  /** The version of the API, a date. */
  version: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .default('2026-03-01'),
  models: modelsSchema(remoteModelSchema),
  voices: voicesSchema.default('discover'),
  /** The rate of the requested samples. */
  sample_rate_hz: z.literal([8000, 16000, 22050, 24000, 44100, 48000]).default(24000),
  ...remoteEngineFields,
})

const pingIntervalMs = 10_000
const slowest = 0.6
const fastest = 1.5

/** Calls `each` for the elements of three parallel arrays, with times in ms. */
const eachTimed = (
  names: readonly string[],
  starts: readonly number[],
  ends: readonly number[],
  each: (name: string, startMs: number, endMs: number) => void,
) => {
  if (starts.length !== names.length || ends.length !== names.length) {
    throw new RemoteFailure('broken', 'the numbers of times and words differ')
  }
  for (const [i, name] of names.entries()) each(name, starts[i]! * 1000, ends[i]! * 1000)
}

const page = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1).max(200),
      name: z.string().nullish(),
      description: z.string().nullish(),
      language: z.string().nullish(),
      gender: z.string().nullish(),
      created_at: z.string().nullish(),
    }),
  ),
  has_more: z.boolean().default(false),
})

const maxPages = 50
const genders: Readonly<Record<string, RemoteVoice['gender']>> = { feminine: 'female', masculine: 'male' }

const isoOf = (time: string | null | undefined): string | undefined => {
  const ms = Date.parse(time ?? '')
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

/** Reads all pages of `GET voices` by `get`. */
const voicesOfCartesia = async (get: (path: string) => Promise<unknown>): Promise<RemoteVoice[]> => {
  const voices: RemoteVoice[] = []
  for (let pages = 0; pages < maxPages; pages++) {
    const last = voices.at(-1)
    const query = new URLSearchParams({ limit: '100', ...(last === undefined ? {} : { starting_after: last.id }) })
    const answer = page.safeParse(await get(`voices?${query}`))
    if (!answer.success) throw new RemoteFailure('broken', 'a list of voices of an unknown shape')
    for (const { id, name, description, language, gender, created_at } of answer.data.data) {
      voices.push({
        id,
        display_name: name || id,
        description: description ?? '',
        languages: languagesOr([language], 'en'),
        gender: genders[gender ?? ''] ?? 'neutral',
        tags: [],
        license: 'proprietary',
        created_at: isoOf(created_at),
      })
    }
    if (!answer.data.has_more || answer.data.data.length === 0) break
  }
  if (voices.length === 0) throw new RemoteFailure('broken', 'an empty list of voices')
  return distinctVoices(voices)
}

export const openCartesiaEngines: OpenEngines<z.output<typeof cartesiaEngineConfig>> = async (
  name,
  config,
  context,
) => {
  const { base_url: baseUrl, sample_rate_hz: sampleRateHz, timeouts, version, voices } = config
  const headers = { 'x-api-key': secretForHeader(config.api_key, context.readSecret), 'cartesia-version': version }
  const http = createHttpClient({ baseUrl, headers, connections: 2, connectTimeoutMs: timeouts.connect_ms })
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/tts/websocket?cartesia_version=${version}`)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = createCartesiaSocket({ url, headers, connectTimeoutMs: timeouts.connect_ms, pingIntervalMs })

  const server: SpeechServer = {
    async probe(signal) {
      const found = voices === 'discover' ? await voicesOfCartesia((path) => http.getJson(path, signal)) : voices
      // The probe opens a socket that was closed for idleness, so that the next utterance does not wait for it.
      await socket.connect(signal)
      return found
    },

    async speak({ text, voice, model, language, speed }, signal, onPart) {
      const decoder = createPcmDecoder()
      const wordAt = createWordTimes(text)
      const request = {
        model_id: model,
        transcript: text,
        voice: { mode: 'id', id: voice.id },
        language: primaryLanguage(language ?? voice.languages[0]!),
        output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: sampleRateHz },
        add_timestamps: true,
        add_phoneme_timestamps: true,
        use_normalized_timestamps: false,
        continue: false,
        ...(speed === 1 ? {} : { generation_config: { speed: Math.min(fastest, Math.max(slowest, speed)) } }),
      }
      await socket.speak(request, signal, (message) => {
        if (message.type === 'chunk') onPart({ kind: 'audio', pcm: decoder.decode(bytesOfBase64(message.data)) })
        if (message.type === 'timestamps' && message.word_timestamps) {
          const { words, start, end } = message.word_timestamps
          eachTimed(words, start, end, (word, startMs, endMs) =>
            onPart({ kind: 'marks', words: wordAt(word, startMs, endMs) }),
          )
        }
        if (message.type === 'phoneme_timestamps' && message.phoneme_timestamps) {
          const { phonemes, start, end } = message.phoneme_timestamps
          eachTimed(phonemes, start, end, (ipa, startMs, endMs) =>
            onPart({ kind: 'marks', phonemes: [{ ipa, startMs, endMs }] }),
          )
        }
      })
      decoder.end()
    },

    async close() {
      socket.close()
      await http.close()
    },
  }

  const engine = await openRemoteEngine({
    name,
    implementation: 'cartesia',
    version,
    sampleRateHz,
    alignment: ['word', 'phoneme', 'viseme'],
    reportsTimes: true,
    server,
    config,
    logger: context.logger,
  })
  return [engine]
}
