import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { sendJson } from '../local-server.js'
import { standInKey } from './faults.js'
import {
  answerWithFault,
  createSpeechState,
  dawdleMs,
  type SpeechFault,
  type SpeechStandIn,
  stall,
  startServer,
  write,
} from './speech-stand-in.js'
import { msPerCharacter, piecesOf } from './tone-of-text.js'

const models = ['eleven_flash_v2_5', 'eleven_multilingual_v2']
const voices = Array.from({ length: 130 }, (_, i) => ({
  voice_id: `voice${i}`,
  name: i === 0 ? 'Rachel' : `Voice ${i}`,
  category: 'premade',
  labels: { accent: 'american', gender: i % 2 === 0 ? 'female' : 'male', age: 'young', use_case: 'narration' },
  description: null,
  preview_url: 'https://example.com/preview.mp3',
  verified_languages: [{ language: 'en', model_id: models[0], accent: 'american', locale: 'en-US' }],
  created_at_unix: 1_710_000_000,
}))

const detail = (status: string, message: string) => ({ detail: { status, message } })

/** ElevenLabs: `stream/with-timestamps`, the paged list of voices, its errors. */
export const startElevenlabsStandIn = async ({ room = 64 } = {}): Promise<SpeechStandIn> => {
  const state = createSpeechState()

  const listening = await startServer(async (request, response) => {
    const url = new URL(request.url!, 'http://stand-in')
    if (request.headers['xi-api-key'] !== standInKey) {
      return sendJson(response, 401, detail('invalid_api_key', 'Invalid API key'))
    }
    if (request.method === 'GET') {
      if (!state.isWell()) return sendJson(response, 503, detail('system_busy', 'Try again'))
      if (url.pathname === '/v1/models')
        return sendJson(
          response,
          200,
          models.map((model_id) => ({ model_id })),
        )
      if (url.pathname === '/v2/voices') {
        const from = Number(url.searchParams.get('next_page_token') ?? 0)
        const to = from + Number(url.searchParams.get('page_size') ?? 10)
        const more = to < voices.length
        return sendJson(response, 200, {
          voices: voices.slice(from, to),
          has_more: more,
          total_count: voices.length,
          next_page_token: more ? String(to) : null,
        })
      }
    }
    const [, voice] = /^\/v1\/text-to-speech\/([^/]+)\/stream\/with-timestamps$/.exec(url.pathname) ?? []
    if (request.method !== 'POST' || voice === undefined) {
      return sendJson(response, 404, { detail: 'Not Found' })
    }

    const body = (await json(request)) as Record<string, unknown>
    const { text, model_id: model, language_code: language } = body as Record<string, string | undefined>
    const { speed = 1 } = (body.voice_settings ?? {}) as { speed?: number }
    const how = state.beginRequest({ text: text!, model: model!, voice, body }, response)
    if (!text || url.searchParams.get('output_format') !== 'pcm_24000' || speed < 0.7 || speed > 1.2) {
      return sendJson(response, 422, { detail: [{ loc: ['body'], msg: 'Invalid', type: 'value_error' }] })
    }
    if (!voices.some(({ voice_id }) => voice_id === voice)) {
      return sendJson(response, 404, detail('voice_not_found', `A voice with id ${voice} was not found.`))
    }
    if (!models.includes(model!) || (language !== undefined && model !== 'eleven_flash_v2_5')) {
      return sendJson(response, 400, detail('unsupported_model', 'Not supported'))
    }
    if (state.busy() > room || how === 'has no room') {
      return sendJson(response, 429, detail('too_many_concurrent_requests', 'Too many concurrent requests'))
    }

    if (how === 'answers with an error')
      return sendJson(response, 500, detail('internal_error', 'Something went wrong'))
    if (how === 'takes no key') return sendJson(response, 401, detail(standInKey, `Invalid API key ${standInKey}`))
    if (how === 'has used up its quota')
      return sendJson(response, 401, detail('quota_exceeded', 'This request exceeds your quota'))
    if (await answerWithFault(how, response, listening.url)) return
    response.setHeader('content-type', 'application/json')
    response.setHeader('transfer-encoding', 'chunked')
    await speak(response, text, how)
  })

  return { ...listening, ...state.control }
}

/** Times are seconds from the beginning of the speech. */
const timesOf = (text: string, at: number) => ({
  characters: [...text],
  character_start_times_seconds: [...text].map((_, i) => ((at + i) * msPerCharacter) / 1000),
  character_end_times_seconds: [...text].map((_, i) => ((at + i + 1) * msPerCharacter) / 1000),
})

const speak = async (
  response: Parameters<typeof write>[0],
  text: string,
  how: SpeechFault | undefined,
): Promise<void> => {
  if (how === 'sends nothing and ends') return void response.end()
  const pieces = piecesOf(text)
  for (const [i, { at, text: piece, bytes }] of pieces.entries()) {
    if (how === 'dawdles') await delay(dawdleMs)
    const audio = bytes.toString('base64')
    if (i >= pieces.length / 2) {
      if (how === 'stalls in the middle') return stall(response)
      if (how === 'closes in the middle') return void response.destroy()
      if (how === 'ends within a sample') {
        return void response.end(JSON.stringify({ audio_base64: bytes.subarray(0, 101).toString('base64') }))
      }
      if (how === 'ends before its end') return void response.end()
      if (how === 'sends half a group of Base64') {
        return void response.end(JSON.stringify({ audio_base64: audio.slice(0, 101) }))
      }
      if (how === 'sends half a line of JSON')
        return void response.end(JSON.stringify({ audio_base64: audio }).slice(0, 101))
      if (how === 'sends what is not JSON') return void response.end('data: [DONE]\n')
      if (how === 'sends JSON of another shape') return void response.end('{"audio_base64":7}\n')
      while (how === 'sends JSON without an end') await write(response, 'x'.repeat(100_000))
    }
    const timed = timesOf(piece, at)
    await write(response, `${JSON.stringify({ audio_base64: audio, alignment: timed, normalized_alignment: timed })}\n`)
  }
  const flood = `${JSON.stringify({ audio_base64: pieces[0]!.bytes.toString('base64') })}\n`
  while (how === 'floods') await write(response, flood)
  response.end()
}
