import { readKokoroName } from '@parlance/models'
import { secretReferenceSchema } from '@parlance/runtime'
import { z } from 'zod'
import type { OpenEngines } from '../engine/engine.js'
import { createPcmDecoder, createWavDecoder } from './audio-decoder.js'
import { createHttpClient } from './http-client.js'
import {
  baseUrlSchema,
  languageSchema,
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

/** Any server with OpenAI's `POST audio/speech`: OpenAI itself, Kokoro-FastAPI, Speaches and others. */
export const openaiEngineConfig = z.strictObject({
  type: z.literal('openai'),
  /** The part of the URL before `/audio/speech`. */
  base_url: baseUrlSchema(/^https?$/).default('https://api.openai.com/v1'),
  /** Omitted for a server without authentication. */
  api_key: secretReferenceSchema.optional(),
  models: modelsSchema(remoteModelSchema),
  /** OpenAI itself has no list of voices. */
  voices: voicesSchema,
  /** The language of discovered voices without one. */
  default_language: languageSchema.default('en'),
  /** The license of discovered voices. */
  license: z.string().default('proprietary'),
  /** `wav` for servers that have no `pcm`. */
  response_format: z.enum(['pcm', 'wav']).default('pcm'),
  /** The rate of the server's audio. Raw samples do not contain it; a WAV with another rate is refused. */
  sample_rate_hz: z.int().min(8000).max(48000).default(24000),
  ...remoteEngineFields,
})

/** Content types that are not raw samples. Any other type, or none, is accepted. */
const notPcm =
  /^(text|image|video|multipart)\/|[/+](json|xml)$|^audio\/(mpeg|mp3|ogg|opus|webm|aac|mp4|flac|x-flac|wav|x-wav|wave|vnd\.wave)$/
const notWav = /^(text|image|video|multipart)\/|[/+](json|xml)$|^audio\/(mpeg|mp3|ogg|opus|webm|aac|mp4|flac|x-flac)$/

/** `GET audio/voices` has no standard: it returns names, or objects with an id, a name or both, and sometimes more. */
const name = z.string().min(1).max(200)
const listedVoice = z.union([
  name.transform((id) => ({ id })),
  z
    .object({
      id: name.optional(),
      name: name.optional(),
      language: z.string().nullish(),
      gender: z.string().nullish(),
    })
    .transform((voice, context) => {
      const id = voice.id ?? voice.name
      if (id === undefined) {
        context.addIssue('a voice with neither id nor name')
        return z.NEVER
      }
      return { ...voice, id }
    }),
])
const voiceList = z.object({ voices: z.array(listedVoice).min(1).max(5000) })

const genderOf = (gender: string | null | undefined): RemoteVoice['gender'] =>
  gender === 'female' || gender === 'male' ? gender : 'neutral'

/** Returns the voices in an answer to `GET audio/voices`. Throws a `RemoteFailure` when there are none. */
const voicesOfOpenai = (answer: unknown, defaultLanguage: string, license: string): RemoteVoice[] => {
  const list = voiceList.safeParse(answer)
  if (!list.success) throw new RemoteFailure('broken', 'a list of voices of an unknown shape')
  return distinctVoices(
    list.data.voices.map((voice) => {
      const { id, name, language, gender }: { id: string } & Partial<Record<string, string | null | undefined>> = voice
      const named = readKokoroName(id)
      return {
        id,
        display_name: name ?? id,
        description: '',
        languages: languagesOr([language ?? named?.language], defaultLanguage),
        gender: genderOf((gender ?? named?.gender)?.toLowerCase()),
        tags: [],
        license,
      }
    }),
  )
}

export const openOpenaiEngines: OpenEngines<z.output<typeof openaiEngineConfig>> = async (name, config, context) => {
  const { response_format: format, sample_rate_hz: sampleRateHz, voices, timeouts } = config
  const key = config.api_key && secretForHeader(config.api_key, context.readSecret)
  const http = createHttpClient({
    baseUrl: config.base_url,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    // One more for the probe, which must not wait for speech.
    connections: config.concurrency + 1,
    connectTimeoutMs: timeouts.connect_ms,
  })

  const server: SpeechServer = {
    async probe(signal) {
      if (voices === 'discover') {
        return voicesOfOpenai(await http.getJson('audio/voices', signal), config.default_language, config.license)
      }
      await http.getJson('models', signal).catch(unlessRefused)
      return voices
    },

    async speak({ text, voice, model, speed }, signal, onPart) {
      const decoder = format === 'wav' ? createWavDecoder(sampleRateHz) : createPcmDecoder()
      const body = await http.post(
        'audio/speech',
        { model, input: text, voice: voice.id, response_format: format, stream_format: 'audio', speed },
        format === 'wav' ? notWav : notPcm,
        signal,
      )
      let first = true
      for await (const bytes of body) {
        if (first && format === 'pcm' && Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'RIFF') {
          throw new RemoteFailure('broken', 'the server sends a WAV where raw samples were requested')
        }
        first = false
        onPart({ kind: 'audio', pcm: decoder.decode(bytes) })
      }
      decoder.end()
    },
    close: http.close,
  }

  const engine = await openRemoteEngine({
    name,
    implementation: 'openai',
    sampleRateHz,
    // The API has no times.
    alignment: ['word'],
    reportsTimes: false,
    server,
    config,
    logger: context.logger,
  })
  return [engine]
}
