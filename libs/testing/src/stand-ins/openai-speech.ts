import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { wavHeader } from '@parlance/audio'
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
import { bytesOf, piecesOf, sampleRateHz, toneOf } from './tone-of-text.js'

const models = ['tts-1', 'kokoro']
const voices = [
  { id: 'af_heart', name: 'af_heart' },
  { id: 'bm_george', name: 'bm_george', language: 'en-gb', gender: 'male' },
  { id: 'plain', name: 'Plain' },
]

const error = (message: string, type: string, code: string | null) => ({ error: { message, type, param: null, code } })

export interface OpenaiSpeechOptions {
  /** More at the same time are answered with 429. */
  readonly room?: number
  /** Of a text. */
  readonly maxCharacters?: number
  /** The voices in its list, in whatever shape. */
  readonly list?: unknown
  /** Seconds, with the 429. */
  readonly retryAfter?: string
}

/** A server with OpenAI's `audio/speech`, and the list of voices that Kokoro-FastAPI and Speaches have. */
export const startOpenaiSpeechStandIn = async (options: OpenaiSpeechOptions = {}): Promise<SpeechStandIn> => {
  const { room = 64, maxCharacters = 4096, list = { voices }, retryAfter = '0' } = options
  const state = createSpeechState()

  const listening = await startServer(async (request, response) => {
    if (request.headers.authorization !== `Bearer ${standInKey}`) {
      const sentKey = request.headers.authorization?.slice(7)
      return sendJson(
        response,
        401,
        error(`Incorrect API key provided: ${sentKey}.`, 'invalid_request_error', 'invalid_api_key'),
      )
    }
    if (request.method === 'GET') {
      if (!state.isWell()) return sendJson(response, 503, error('Overloaded', 'server_error', null))
      if (request.url === '/v1/models') {
        return sendJson(response, 200, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) })
      }
      if (request.url === '/v1/audio/voices') return sendJson(response, 200, list)
    }
    if (request.method !== 'POST' || request.url !== '/v1/audio/speech') {
      return sendJson(response, 404, error('Not found', 'invalid_request_error', null))
    }

    const body = (await json(request)) as Record<string, unknown>
    const {
      input: text,
      model,
      voice,
      response_format: format,
      speed,
    } = body as Record<string, string> & { speed: number }
    const how = state.beginRequest({ text: text!, model: model!, voice: voice!, body }, response)
    if (!models.includes(model!)) {
      return sendJson(response, 404, error('No such model', 'invalid_request_error', 'model_not_found'))
    }
    if (!text || text.length > maxCharacters || !(speed >= 0.25 && speed <= 4)) {
      return sendJson(response, 422, { detail: [{ loc: ['body'], msg: 'Invalid', type: 'value_error' }] })
    }
    if (state.busy() > room || how === 'has no room') {
      return sendJson(response, 429, error('Rate limit reached', 'requests', 'rate_limit_exceeded'), {
        'retry-after': retryAfter,
      })
    }

    if (how === 'answers with an error')
      return sendJson(response, 500, error('The server had an error', 'server_error', null))
    if (how === 'takes no key')
      return sendJson(response, 401, error(`Incorrect API key provided: ${standInKey}`, standInKey, standInKey))
    if (how === 'has used up its quota')
      return sendJson(response, 429, error('You exceeded your quota', 'insufficient_quota', 'insufficient_quota'))
    if (await answerWithFault(how, response, listening.url)) return

    const wav = format === 'wav'
    response.setHeader('content-type', wav ? 'audio/wav' : 'audio/pcm')
    const rateHz = how === 'sends another rate' ? 22_050 : sampleRateHz
    if (wav || how === 'sends a WAV unasked')
      await write(response, wavHeader({ sampleRateHz: rateHz, dataBytes: bytesOf(toneOf(text)).length }))
    await speak(response, text, how)
  })

  return { ...listening, ...state.control, url: `${listening.url}/v1` }
}

const speak = async (
  response: Parameters<typeof write>[0],
  text: string,
  how: SpeechFault | undefined,
): Promise<void> => {
  if (how === 'sends nothing and ends') return void response.end()
  const pieces = piecesOf(text)
  for (const [i, { bytes }] of pieces.entries()) {
    if (how === 'dawdles') await delay(dawdleMs)
    if (i >= pieces.length / 2) {
      if (how === 'stalls in the middle') return stall(response)
      if (how === 'closes in the middle') return void response.destroy()
      if (how === 'ends within a sample') return void response.end(bytes.subarray(0, 101))
      if (how === 'ends before its end') return void response.end()
    }
    await write(response, bytes)
  }
  while (how === 'floods') await write(response, pieces[0]!.bytes)
  response.end()
}
